// A short wooden sound for a move, if switched on, and the voice of contest mode.

import { current } from "./i18n.js";

/** @type {AudioContext|null} */
let audio = null;

/** @param {boolean} capture */
export function moveSound(capture) {
  if (localStorage.sound !== "on") return;
  audio ??= new AudioContext();
  const now = audio.currentTime;
  const tones = capture
    ? [
        [0, 340],
        [0.09, 220],
      ]
    : [[0, 420]];
  for (const [delay, pitch] of tones) {
    const tone = audio.createOscillator();
    const volume = audio.createGain();
    tone.type = "triangle";
    tone.frequency.setValueAtTime(pitch, now + delay);
    tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + delay + 0.08);
    volume.gain.setValueAtTime(0.25, now + delay);
    volume.gain.exponentialRampToValueAtTime(0.001, now + delay + 0.12);
    tone.connect(volume).connect(audio.destination);
    tone.start(now + delay);
    tone.stop(now + delay + 0.13);
  }
}

/** @param {string} text */
export function speak(text) {
  if (!("speechSynthesis" in window)) return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = current() === "zh" ? "zh-CN" : "en-US";
  utterance.rate = 0.85;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

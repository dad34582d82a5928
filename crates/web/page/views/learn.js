// The rules of a game: as a page with pictures, and as lessons to play through. What
// they say is in lessons/<game>.js; what is legal comes from the server.

import { newGame } from "../actions.js";
import * as api from "../api.js";
import { createBoard } from "../board/board.js";
import { boardScript, gameInfo, gameName, inLanguage } from "../catalogue.js";
import { h, put, toastError } from "../dom.js";
import { t } from "../i18n.js";
import { moveSound } from "../sound.js";

/** How long a reply takes, in milliseconds. */
const REPLY = 700;

/** @param {string} name of a game @returns {Promise<Lesson.Step[]>} */
async function stepsOf(name) {
  gameInfo(name);
  return (await import(`../lessons/${name}.js`)).lesson;
}

/** @param {string} name of a game @param {Lesson.Step} step @returns {Api.PositionRequest} */
const requestOf = (name, { game = name, position, moves }) => ({ game, position, moves });

/**
 * @param {string} name of a game
 * @param {Api.Position} position
 * @param {Lesson.Step} step
 * @param {(move: string) => void} onMove
 */
function boardOf(name, position, step, onMove) {
  const { game } = position;
  return createBoard({
    geometry: position.geometry,
    script: boardScript(name),
    flip: gameInfo(name).flip,
    label: t("board.label", { game: gameName(name) }),
    onMove,
    ways: async (text) => (await api.position({ game, position: text })).trails,
    pinned: step.ways,
  });
}

/** The rules on one page. @param {HTMLElement} main @param {string} name of a game */
export async function openRules(main, name) {
  try {
    const steps = await stepsOf(name);
    const title = t("learn.rulesOf", { game: gameName(name) });
    document.title = `${title} · ${t("title")}`;
    main.className = "rules";
    put(
      main,
      h("div", { class: "intro" }, h("h1", {}, title), lead(name, "learn")),
      steps.map((step) => ruleSection(name, step)),
    );
  } catch (error) {
    toastError(error);
  }
}

/** Links beside a heading. @param {string} name @param {"learn"|"rules"} other */
function lead(name, other) {
  return h(
    "p",
    { class: "actions" },
    h("a", { class: "button", href: `/${other}/${name}` }, t(`learn.${other}`)),
    h("a", { class: "button", href: "/" }, t("nav.new")),
  );
}

/** @param {string} name @param {Lesson.Step} step */
function ruleSection(name, step) {
  const place = h("div", { class: "picture" });
  drawPicture(place, name, step).catch(toastError);
  const { title, text } = step;
  return h(
    "section",
    { class: "panel rule" },
    h("div", {}, h("h2", {}, inLanguage(title)), h("p", {}, inLanguage(text))),
    place,
  );
}

/** A board to look at. @param {HTMLElement} place @param {string} name @param {Lesson.Step} step */
async function drawPicture(place, name, step) {
  const position = await api.position(requestOf(name, step));
  const board = boardOf(name, position, step, () => {});
  board.show(position.ply, [], false);
  board.svg.querySelector(".layer-hits")?.remove();
  board.svg.setAttribute("role", "img");
  board.svg.setAttribute("aria-label", inLanguage(step.title));
  place.classList.add(`of-${position.geometry.kind}`);
  put(place, board.svg);
}

/** The lessons of a game. @param {HTMLElement} main @param {string} name of a game */
export async function openLesson(main, name) {
  /** @type {Lesson.Step[]} */
  let steps;
  try {
    steps = await stepsOf(name);
  } catch (error) {
    toastError(error);
    return;
  }
  const title = t("learn.lessonOf", { game: gameName(name) });
  document.title = `${title} · ${t("title")}`;
  const place = h("div", { class: "place" });
  const heading = h("h2", {});
  const text = h("p", {});
  const ask = h("p", { class: "ask-for" });
  const answer = h("p", { class: "answer", role: "status" });
  const count = h("p", { class: "faint" });
  const progress = h("progress", { max: steps.length, "aria-label": t("learn.progress") });
  const [back, next] = ["back", "next"].map((what) =>
    h("button", { type: "button", "data-do": what }, t(`learn.${what}`)),
  );
  main.className = "learn";
  put(
    main,
    h("h1", {}, title),
    h(
      "section",
      { class: "stage", "aria-label": t("learn.board") },
      h("div", { class: "field-and-bar" }, place),
    ),
    h(
      "aside",
      { class: "side" },
      h(
        "div",
        { class: "panel" },
        count,
        progress,
        heading,
        text,
        ask,
        answer,
        h("div", { class: "actions" }, back, next),
      ),
      lead(name, "rules"),
    ),
  );
  let at = Math.min(Number(location.hash.slice(1)) || 0, steps.length - 1);
  /** Counts steps shown, so that a reply to an earlier one is left out. */
  let shown = 0;

  back.addEventListener("click", () => show(at - 1));
  next.addEventListener("click", () => {
    if (at < steps.length - 1) show(at + 1);
    else {
      newGame({ game: name, seats: ["human", { engine: "level n=1" }] });
    }
  });

  /** @param {number} number */
  async function show(number) {
    at = number;
    shown += 1;
    const mine = shown;
    const step = steps[at];
    history.replaceState(null, "", `${location.pathname}#${at}`);
    count.textContent = t("learn.count", { n: at + 1, total: steps.length });
    progress.value = at + 1;
    heading.textContent = inLanguage(step.title);
    text.textContent = inLanguage(step.text);
    ask.textContent = step.task ? inLanguage(step.task.ask) : "";
    answer.textContent = "";
    answer.className = "answer";
    back.disabled = at === 0;
    next.textContent = t(at < steps.length - 1 ? "learn.next" : "learn.play");
    next.classList.toggle("primary", !step.task);
    try {
      const position = await api.position(requestOf(name, step));
      if (mine === shown) play(step, position, () => mine === shown);
    } catch (error) {
      toastError(error);
    }
  }

  /**
   * Lets the reader do what a step asks for.
   * @param {Lesson.Step} step
   * @param {Api.Position} position
   * @param {() => boolean} current whether the step is still shown
   */
  function play(step, position, current) {
    const { task } = step;
    const todo = task?.steps ?? (task ? [{ accept: task.accept }] : []);
    let [done, busy] = [0, false];
    const board = boardOf(name, position, step, (move) => {
      if (!busy) answerTo(move).catch(toastError);
    });
    /** @param {boolean} animate */
    const draw = (animate) =>
      board.show(position.ply, done < todo.length ? position.legal : [], animate);

    /** @param {string} move */
    async function advance(move) {
      const { game, ply } = position;
      position = await api.position({ game, position: ply.position, moves: `${move},` });
      if (!current()) return;
      const { captured } = boardScript(name);
      moveSound(captured?.(position.ply.view) ?? false);
      draw(true);
    }

    /** @param {string} move */
    async function answerTo(move) {
      const { accept, replies = [] } = /** @type {NonNullable<Lesson.Task["steps"]>[number]} */ (
        todo[done]
      );
      const spot = position.geometry.places.find(({ id }) => id === move);
      const right = !accept || accept.includes(move) || accept.includes(spot?.name ?? "");
      if (!right) {
        answer.textContent = task?.retry ? inLanguage(task.retry) : "";
        answer.className = "answer wrong";
        return;
      }
      busy = true;
      done += 1;
      answer.textContent = "";
      await advance(move);
      for (const reply of replies) {
        await new Promise((resolve) => setTimeout(resolve, REPLY));
        if (!current()) return;
        const place = position.geometry.places.find((one) => one.name === reply);
        await advance(place?.id ?? reply);
      }
      busy = false;
      if (done < todo.length || !task) return;
      answer.textContent = inLanguage(task.done);
      answer.className = "answer right";
      next.classList.add("primary");
      next.focus();
    }

    main.style.setProperty("--ratio", board.svg.style.getPropertyValue("--ratio"));
    main.className = `learn of-${position.geometry.kind}`;
    put(place, board.svg);
    draw(false);
  }

  await show(at);
}

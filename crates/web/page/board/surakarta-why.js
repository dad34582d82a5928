// The sentences for what is certain about a move of Surakarta.

export const why = {
  en: {
    "why.retaken":
      "The piece that captured can be captured in turn: {by} (loops: {loops}, {circuit}).",
    "why.opens_loss":
      "It lets {by} capture the piece on {at} over the {circuit} loops (loops passed: {loops}), and nothing can recapture there.",
    "why.opens_capture":
      "It lets {by} capture the piece on {at} over the {circuit} loops (loops passed: {loops}).",
    "why.leaves_loss":
      "The piece on {at} stays under attack: {by} captures it over the {circuit} loops (loops passed: {loops}), and nothing can recapture there.",
    "why.leaves_capture":
      "The piece on {at} stays under attack by {by} over the {circuit} loops (loops passed: {loops}).",
    "why.misses_free":
      "{by} would capture the piece on {at} over the {circuit} loops (loops passed: {loops}), and nothing could recapture there.",
    "why.misses_capture":
      "{by} would capture the piece on {at} over the {circuit} loops (loops passed: {loops}).",
    "why.surakarta.line_loses": "In the line {line} it loses {n} pieces more than it takes.",
    "why.surakarta.line_loses.one": "In the line {line} it loses a piece more than it takes.",
    "why.surakarta.line_gains": "The line {line} gains {n} pieces.",
    "why.surakarta.line_gains.one": "The line {line} gains a piece.",
  },
  zh: {
    "why.retaken": "吃子的棋子会被反吃：{by}（经{circuit}弧，过弧 {loops} 次）。",
    "why.opens_loss":
      "对方可走 {by}，经{circuit}弧（过弧 {loops} 次）吃掉 {at} 的棋子，且无法反吃。",
    "why.opens_capture": "对方可走 {by}，经{circuit}弧（过弧 {loops} 次）吃掉 {at} 的棋子。",
    "why.leaves_loss":
      "{at} 的棋子仍受攻击：对方可走 {by}，经{circuit}弧（过弧 {loops} 次）吃掉，且无法反吃。",
    "why.leaves_capture": "{at} 的棋子仍受 {by} 攻击，经{circuit}弧（过弧 {loops} 次）。",
    "why.misses_free":
      "走 {by} 可经{circuit}弧（过弧 {loops} 次）吃掉 {at} 的棋子，且对方无法反吃。",
    "why.misses_capture": "走 {by} 可经{circuit}弧（过弧 {loops} 次）吃掉 {at} 的棋子。",
    "why.surakarta.line_loses": "在变化 {line} 中净失 {n} 子。",
    "why.surakarta.line_gains": "变化 {line} 可净得 {n} 子。",
  },
};

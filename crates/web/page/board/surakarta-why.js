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
    "why.allows_fork":
      "It allows {by}: whatever is answered, a piece can be captured then, and nothing can recapture there.",
    "why.misses_fork":
      "It misses {by}: whatever is answered, a piece can be captured then, and nothing can recapture there.",
    "why.misses_attack":
      "{move} would attack the piece on {at} ({by} over the {circuit} loops, loops passed: {loops}), where nothing could recapture.",
    "why.fewer_guarded":
      "Own pieces on whose point another one could recapture: {n} after it, {better} after {by}.",
    "why.longer_reach":
      "Points that the opponent's pieces reach over the loops: {n} after it, {better} after {by}.",
    "why.shorter_reach":
      "Points that its own pieces reach over the loops: {n} after it, {better} after {by}.",
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
    "why.allows_fork": "对方可走 {by}，此后无论怎样应对，都会被吃掉一子，且无法反吃。",
    "why.misses_fork": "错过了 {by}：此后对方无论怎样应对，都会被吃掉一子，且无法反吃。",
    "why.misses_attack":
      "走 {move} 可攻击 {at} 的棋子（{by}，经{circuit}弧，过弧 {loops} 次），对方无法反吃。",
    "why.fewer_guarded": "走后己方有 {n} 子受保护（被吃时可反吃），走 {by} 则有 {better} 子。",
    "why.longer_reach": "走后对方棋子经弧可到 {n} 个点，走 {by} 则只有 {better} 个点。",
    "why.shorter_reach": "走后己方棋子经弧可到 {n} 个点，走 {by} 则有 {better} 个点。",
    "why.surakarta.line_loses": "在变化 {line} 中净失 {n} 子。",
    "why.surakarta.line_gains": "变化 {line} 可净得 {n} 子。",
  },
};

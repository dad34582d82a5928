// The sentences for what is certain about a move of Connect Four.

export const why = {
  en: {
    "why.fewer_fours":
      "Fours that are still possible through its stone: {n}; through one in column {by}: {better}.",
    "why.blocks_fewer":
      "Possible fours of the opponent that it blocks: {n}; a stone in column {by} blocks {better}.",
    "why.misses_four": "It misses four in a row in column {column}.",
    "why.leaves_four": "The opponent still completes four in column {column}.",
    "why.opens_four":
      "On top of this stone, in column {column}, the opponent completes four in row {row}.",
    "why.allows_forced": "The opponent can force four in a row: {line}.",
    "why.misses_forced": "Four in a row could be forced: {line}.",
    "why.gives_up":
      "It gives up the threat in column {column}, row {row} ({parity}): the opponent can fill that cell now.",
    "why.misses_threat": "{by} would make a threat in column {column}, row {row} ({parity}).",
    "why.allows_threat":
      "With {by} the opponent can make a threat in column {column}, row {row} ({parity}).",
  },
  zh: {
    "why.fewer_fours": "这枚棋子可参与 {n} 条可能的四连，走 {by} 则有 {better} 条。",
    "why.blocks_fewer": "这枚棋子挡住对方 {n} 条可能的四连，走 {by} 则挡住 {better} 条。",
    "why.misses_four": "错过了在第 {column} 列连成四子。",
    "why.leaves_four": "对方仍可在第 {column} 列连成四子。",
    "why.opens_four": "对方可在这枚棋子上方（第 {column} 列第 {row} 行）连成四子。",
    "why.allows_forced": "对方可以强制连成四子：{line}。",
    "why.misses_forced": "本可强制连成四子：{line}。",
    "why.gives_up": "放弃了第 {column} 列第 {row} 行（{parity}行）的威胁：对方现在可以占住那一格。",
    "why.misses_threat": "走 {by} 可在第 {column} 列第 {row} 行（{parity}行）形成威胁。",
    "why.allows_threat": "对方走 {by} 可在第 {column} 列第 {row} 行（{parity}行）形成威胁。",
  },
};

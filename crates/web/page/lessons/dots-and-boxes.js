// The rules of Dots and Boxes, step by step.

/** @type {Lesson.Step[]} */
export const lesson = [
  {
    title: { en: "A line", zh: "画一条边" },
    text: {
      en: "Between the dots there is room for edges. In a turn a player draws one of them, between two neighbouring dots. A dot is named by the letter below its column and the number of its row; an edge by its left or lower dot and h or v: a1h, b2v.",
      zh: "相邻两点之间可以画一条边，每回合画一条。点用列下的字母和行的数字命名；边用左端或下端的点加 h（横）或 v（竖）命名，如 a1h、b2v。",
    },
    game: "dots-and-boxes 2x2",
    task: {
      ask: { en: "Draw an edge.", zh: "请画一条边。" },
      done: { en: "Now the other player draws one.", zh: "接着由对方画一条。" },
    },
  },
  {
    title: { en: "A box", zh: "围成一格" },
    text: {
      en: "Who draws the fourth side of a box owns it, and must draw another edge at once. When all edges are drawn, more boxes win.",
      zh: "画出一格第四条边的人得到这一格，并且必须马上再画一条。所有的边画完后，格多者胜。",
    },
    game: "dots-and-boxes 2x2",
    moves: "a1h a1v a2h",
    task: {
      ask: { en: "Close the box, then draw once more.", zh: "围成这一格，然后再画一条。" },
      steps: [{ accept: ["b1v"] }, {}],
      done: {
        en: "The box is yours, and you had a second move.",
        zh: "这一格归你，而且你多走了一步。",
      },
      retry: { en: "One box has three sides already.", zh: "有一格已经有三条边了。" },
    },
  },
  {
    title: { en: "Not the third side", zh: "别画第三条边" },
    text: {
      en: "Who draws the third side of a box gives it to the opponent. Most of the game is waiting: the players draw edges that give nothing away, until none is left.",
      zh: "画出第三条边等于把这一格送给对方。对局的大部分时间在等待：双方只画不送格的边，直到没有这样的边。",
    },
    game: "dots-and-boxes 2x2",
    position: "378 first 0 0",
    task: {
      ask: { en: "One edge gives no box away. Draw it.", zh: "只有一条边不送格，请画出来。" },
      accept: ["a3h"],
      done: { en: "The only safe edge.", zh: "这是唯一安全的边。" },
      retry: {
        en: "That gives a box its third side. Look for a box with one side only.",
        zh: "这会给一格画上第三条边。找只有一条边的格子。",
      },
    },
  },
  {
    title: { en: "A chain", zh: "链" },
    text: {
      en: "Boxes with two sides each form a chain: who takes the first box can take the next, and so on. Opening a chain gives away all of it.",
      zh: "一串各有两条边的格子叫链：吃了第一格就能吃第二格，一直吃下去。打开一条链，等于把整条链送给对方。",
    },
    game: "dots-and-boxes 1x4",
    position: "1ff first 0 0",
    task: {
      ask: {
        en: "The chain is open at its left end. Take all four boxes.",
        zh: "链的左端已打开，请吃掉全部四格。",
      },
      steps: [{ accept: ["b1v"] }, { accept: ["c1v"] }, { accept: ["d1v"] }, { accept: ["e1v"] }],
      done: { en: "Four boxes in one turn.", zh: "一回合四格。" },
      retry: { en: "From left to right, a box at a time.", zh: "从左到右，一格一格来。" },
    },
  },
  {
    title: { en: "Keeping control", zh: "保持主动" },
    text: {
      en: "Taking everything is not always best: after the last box you must move, and open the next chain. So take all but two boxes of a long chain, and leave these two with the far edge. The opponent takes them and must open the next chain for you.",
      zh: "全部吃掉不一定最好：吃完最后一格你还得走，只好打开下一条链。所以长链要留下最后两格，画上远端的边。对方吃掉这两格后，必须为你打开下一条链。",
    },
    game: "dots-and-boxes 2x3",
    position: "3ff first 0 0",
    task: {
      ask: {
        en: "Take one box above, leave the other two, then take the chain below.",
        zh: "上面吃一格，留两格，然后吃下面的链。",
      },
      steps: [
        { accept: ["b2v"] },
        { accept: ["d2v"], replies: ["c2v", "a1v"] },
        { accept: ["b1v"] },
        { accept: ["c1v"] },
        { accept: ["d1v"] },
      ],
      done: {
        en: "4 to 2. Taking all three at once would have ended 3 to 3.",
        zh: "4 比 2。如果一次吃掉三格，结果是 3 比 3。",
      },
      retry: {
        en: "Take the box at the left, then draw the edge at the far right.",
        zh: "先吃最左边一格，再画最右边的边。",
      },
    },
  },
];

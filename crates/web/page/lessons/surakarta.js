// The rules of Surakarta, step by step.

/** @type {Lesson.Step[]} */
export const lesson = [
  {
    title: { en: "The board", zh: "棋盘" },
    text: {
      en: "Twelve black pieces face twelve white ones on 36 points. At the corners the lines run on over loops: eight in all, a small and a large one at each corner. Who takes all of the opponent's pieces wins. Black moves first.",
      zh: "36 个交叉点上，十二枚黑子对十二枚白子。线在四角沿弧线相连：每个角一小一大，共八条弧。吃光对方的棋子就赢。黑方先走。",
    },
  },
  {
    title: { en: "A step", zh: "走一步" },
    text: {
      en: "In a turn one piece steps to a free point beside it, straight or diagonally, in any of the eight directions. The loops do not matter for a step.",
      zh: "每回合把一枚棋子走到相邻的空点，横、竖、斜八个方向都可以。走子与弧线无关。",
    },
    task: {
      ask: { en: "Move a black piece one step.", zh: "请把一枚黑子走一步。" },
      done: { en: "Good. White would be next.", zh: "很好。接下来轮到白方。" },
    },
  },
  {
    title: { en: "The loops", zh: "弧线" },
    text: {
      en: "To capture, a piece travels along its line off the edge, round the loop and back onto the board on the line where the loop ends, as far as the points are free. The blue lines are the ways of this piece. In a game, point at a piece, or tap it, to see its ways.",
      zh: "吃子时，棋子沿着线走出棋盘边缘，绕过弧线，从弧线另一端回到棋盘，途中经过的点必须是空的。蓝线是这枚棋子可以走的路线。对局时把鼠标移到棋子上，或轻触棋子，就会显示它的路线。",
    },
    position: "6/3b2/6/6/6/6 b",
    ways: ["d5"],
  },
  {
    title: { en: "A capture", zh: "吃子" },
    text: {
      en: "A piece captures the first enemy that it meets on such a way, and takes its place. The way must go over at least one loop.",
      zh: "棋子沿路线遇到的第一枚敌子会被吃掉，自己占据那个点。路线至少要经过一条弧线。",
    },
    position: "6/3b2/6/1w4/6/6 b",
    ways: ["d5"],
    task: {
      ask: {
        en: "Take the white piece: click the black one, then the white one.",
        zh: "吃掉白子：先点黑子，再点白子。",
      },
      accept: ["d5xb3"],
      done: {
        en: "To the left, round the small loop, down the column: captured.",
        zh: "向左，绕过小弧，沿竖线向下：吃到了。",
      },
      retry: {
        en: "That is a step. Follow the red line to the white piece.",
        zh: "这是走子。请沿红线走到白子。",
      },
    },
  },
  {
    title: { en: "No loop, no capture", zh: "不过弧线不能吃" },
    text: {
      en: "The white piece right beside yours can't be taken: no loop leads there, since it stands in the way itself. The other one can.",
      zh: "紧挨着的那枚白子吃不到：它自己挡住了路，没有弧线通到那里。另一枚可以吃。",
    },
    position: "6/1wb3/4w1/6/6/6 b",
    task: {
      ask: { en: "Take the piece that can be taken.", zh: "吃掉能吃的那枚棋子。" },
      accept: ["c5xe4"],
      done: {
        en: "Right, round the loop at the upper right corner.",
        zh: "对，绕过右上角的弧线。",
      },
      retry: {
        en: "Not yet. Travel to the right, off the edge and round the corner.",
        zh: "还不对。向右走出边缘，绕过角上的弧线。",
      },
    },
  },
  {
    title: { en: "Pieces block the way", zh: "棋子会挡路" },
    text: {
      en: "A way ends at the first piece, your own or the opponent's. Here your piece at the top stops the way to the lower white piece.",
      zh: "路线遇到第一枚棋子就停止，不管是己方还是对方。这里上边的己方棋子挡住了通往下方白子的路。",
    },
    position: "1w2b1/3b2/6/6/4w1/6 b",
    task: {
      ask: { en: "Take the piece whose way is free.", zh: "吃掉路线畅通的那枚白子。" },
      accept: ["d5xb6"],
      done: { en: "Yes. This way was free.", zh: "对，这条路是通的。" },
      retry: {
        en: "That is not a capture. Look to the left from d5.",
        zh: "这不是吃子。从 d5 向左看。",
      },
    },
  },
  {
    title: { en: "Round several loops", zh: "连过几条弧" },
    text: {
      en: "A way may go over two, three or four loops, and may even cross itself, as long as every point on it is free.",
      zh: "路线可以连续经过两条、三条甚至四条弧线，也可以与自己相交，只要途中的点都空着。",
    },
    position: "1b4/6/4w1/6/6/6 b",
    ways: ["b6"],
    task: {
      ask: { en: "Take the white piece over two loops.", zh: "连过两条弧线吃掉白子。" },
      accept: ["b6xe4"],
      done: { en: "Two loops in one move.", zh: "一步绕过两条弧。" },
      retry: { en: "Go up from b6, not a step aside.", zh: "从 b6 向上走，而不是走子。" },
    },
  },
  {
    title: { en: "The corners", zh: "角上的点" },
    text: {
      en: "No loop touches the four corner points. A piece there can't be captured, and can't capture either: safe, but out of play.",
      zh: "四个角点不在任何弧线上。角上的棋子不会被吃，也不能吃子：安全，但不起作用。",
    },
    position: "bw4/w5/6/6/6/6 b",
  },
  {
    title: { en: "What will they take back?", zh: "对方会吃回来吗？" },
    text: {
      en: "Every way can be travelled in both directions. Before you capture, look whether the point where you land lies on a way of the opponent.",
      zh: "每条路线双方都可以走。吃子之前，看看落点是否在对方的路线上。",
    },
    position: "6/6/2w3/6/3b1w/1w3b b",
    task: {
      ask: {
        en: "Two pieces can be taken. Take the one after which White can't take back.",
        zh: "有两枚白子可吃。吃掉之后不会被吃回来的那一枚。",
      },
      accept: ["d2xc4"],
      done: { en: "A piece won for nothing.", zh: "白得一子。" },
      retry: {
        en: "After that White takes back, or nothing was captured. Try the other.",
        zh: "这样会被吃回来，或者没有吃到子。试试另一枚。",
      },
    },
  },
  {
    title: { en: "The end of a game", zh: "终局" },
    text: {
      en: "Capturing is never compulsory, and there is no passing. A side without pieces, or without a legal move on its turn, has lost. After 100 moves of either side without a capture, or when a position occurs for the third time, the pieces are counted and more pieces win. A setup can change these rules.",
      zh: "吃子不是强制的，也不能弃权。没有棋子，或轮到自己却无棋可走的一方输。双方合计 100 步没有吃子，或同一局面第三次出现时，数子，子多者胜。这些规则可以在设置中更改。",
    },
    position: "b5/6/2b3/6/4b1/5w w",
  },
];

// The rules of Connect Four, step by step.

/** @type {Lesson.Step[]} */
export const lesson = [
  {
    title: { en: "A stone falls", zh: "落子" },
    text: {
      en: "The players take turns to drop a stone into a column. It falls to the lowest free cell. Columns are numbered from 1 at the left; on boards with more than nine, 10 follows 9. In a text without separators 10, 11 and 12 are written a, b and c.",
      zh: "双方轮流把棋子投入一列，棋子落到最低的空格。列从左边的 1 开始编号；超过九列时，9 之后是 10。在不带分隔符的文本里，10、11、12 写作 a、b、c。",
    },
    task: {
      ask: { en: "Drop a stone.", zh: "请投下一枚棋子。" },
      done: { en: "Now it is the opponent's turn.", zh: "接着轮到对方。" },
    },
  },
  {
    title: { en: "Four in a row", zh: "四子连线" },
    text: {
      en: "Four stones of one colour in a line win: across, upwards or diagonally. A full board without four in a row is a draw.",
      zh: "同色四子连成一线就赢：横、竖、斜都可以。棋盘下满而没有四连，则为和棋。",
    },
    moves: "434343",
    task: {
      ask: { en: "Win with one stone.", zh: "下一子取胜。" },
      accept: ["4"],
      done: { en: "Four on top of each other.", zh: "竖着连成四子。" },
      retry: { en: "Where do you have three in a line?", zh: "哪里已经有三子连线？" },
    },
  },
  {
    title: { en: "Blocking", zh: "阻挡" },
    text: {
      en: "Before each stone look what the opponent would do with it. Three in a line with a free fourth cell must be blocked at once.",
      zh: "每次落子前先看对方的意图。对方已有三子连线而第四格空着，必须马上挡住。",
    },
    moves: "141424",
    task: {
      ask: { en: "Stop the opponent's four.", zh: "挡住对方的四连。" },
      accept: ["4"],
      done: { en: "Blocked.", zh: "挡住了。" },
      retry: { en: "Then the opponent completes four in a row.", zh: "这样对方就连成四子了。" },
    },
  },
  {
    title: { en: "Two threats at once", zh: "双重威胁" },
    text: {
      en: "One threat can be blocked, two can't. Three in a line with both ends free win.",
      zh: "一个威胁挡得住，两个挡不住。两端都空着的三连必胜。",
    },
    moves: "4455",
    task: {
      ask: { en: "Make two threats with one stone.", zh: "一子造成两个威胁。" },
      accept: ["3", "6"],
      done: {
        en: "Whatever the opponent blocks, you complete the other end.",
        zh: "对方挡住一端，你就从另一端连成四子。",
      },
      retry: {
        en: "Put a third stone beside your two at the bottom.",
        zh: "在底行你的两子旁边再放一子。",
      },
    },
  },
  {
    title: { en: "The cell above", zh: "上面的一格" },
    text: {
      en: "A stone also makes the cell above it playable, for the opponent first. Many games are decided by who must give such a cell away: late in the game the first player gets the odd rows, the second the even ones.",
      zh: "落下一子，上面一格就可以下了，而且是对方先下。许多对局取决于谁不得不让出这样的格子：到了后期，先手得到奇数行，后手得到偶数行。",
    },
    moves: "5643362425",
    task: {
      ask: {
        en: "One column would give the opponent four in a row. Play another.",
        zh: "有一列会让对方连成四子。请下别的列。",
      },
      accept: ["1", "2", "3", "4", "5", "6"],
      done: { en: "Right: not column 7.", zh: "对：不能下第 7 列。" },
      retry: {
        en: "Above that stone the opponent completes the second row.",
        zh: "对方会在这一子的上面连成第二行的四子。",
      },
    },
  },
  {
    title: { en: "Other boards", zh: "其他棋盘" },
    text: {
      en: "Boards may have from 4 to 12 columns and rows, and a hole: a cell that stays empty, belongs to nobody and interrupts lines. A stone falls past it and may lie on it.",
      zh: "棋盘可以有 4 到 12 列和行，还可以有一个禁点：它一直空着，不属于任何一方，并且隔断连线。棋子会越过它，也可以落在它上面。",
    },
    game: "connect-four 9x7 hole=5,2",
    moves: "5,5,4,6",
  },
];

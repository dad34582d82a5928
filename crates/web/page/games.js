// The games, until the server's catalogue has all of this.

/** @param {string} en @param {string} zh */
const words = (en, zh) => ({ en, zh });

/** @type {[Api.Words, Api.Words]} */
const order = [words("First", "先手"), words("Second", "后手")];

/** @type {Api.Catalogue} */
export const catalogue = {
  games: [
    {
      name: "surakarta",
      title: words("Surakarta", "苏拉卡尔塔棋"),
      tagline: words("Step anywhere, capture over the loops.", "八方走子，沿弧吃子。"),
      sides: [words("Black", "黑方"), words("White", "白方")],
      setup: "rules",
      choices: ["", "quiet=80 stall=draw", "repetition=6 repeat=loses"],
      first_on_top: true,
      flip: "turn",
      overlays: [],
    },
    {
      name: "dots-and-boxes",
      title: words("Dots and Boxes", "点格棋"),
      tagline: words("Close boxes, mind the chains.", "围格得分，长链定胜负。"),
      sides: order,
      setup: "board",
      choices: ["5x5", "3x3", "3x4", "4x4", "6x6", "7x7"],
      first_on_top: false,
      flip: "turn",
      overlays: [{ name: "chains", title: words("Chains", "链") }],
    },
    {
      name: "connect-four",
      title: words("Connect Four", "四子棋"),
      tagline: words(
        "Four in a row, any size, with or without a hole.",
        "四子连线，大小任选，可设禁点。",
      ),
      sides: order,
      setup: "board",
      choices: ["7x6", "8x7", "9x9", "10x10", "11x10 hole=3,4", "12x12"],
      first_on_top: false,
      flip: "mirror",
      overlays: [],
    },
  ],
  engines: [],
  levels: 10,
  reasons: {
    "wiped out": words("no pieces left", "吃光"),
    "no move": words("no legal move", "无子可动"),
    "count after quiet plies": words("counted after quiet moves", "长期不吃子，数子"),
    repetition: words("repetition", "局面重复"),
    "nobody can capture": words("no capture is possible", "双方都不能吃子"),
    "move cap": words("move limit", "步数上限"),
    "four in a row": words("four in a row", "四子连线"),
    "board full": words("the board is full", "棋盘已满"),
    "boxes counted": words("boxes counted", "数格"),
    resigned: words("resignation", "认输"),
    time: words("time", "超时"),
    "illegal move": words("illegal move", "违规着法"),
    crashed: words("crash", "程序崩溃"),
    adjudicated: words("adjudicated", "裁定"),
  },
  threads: 1,
};

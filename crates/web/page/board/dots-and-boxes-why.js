// The sentences for what is certain about a move of Dots and Boxes.

export const why = {
  en: {
    "why.leaves_boxes": "{n} boxes that could be taken are left.",
    "why.leaves_boxes.one": "A box that could be taken is left.",
    "why.gives_boxes": "The opponent can take {n} boxes at once.",
    "why.gives_boxes.one": "The opponent can take a box at once.",
    "why.opens_chain":
      "It opens a long chain of {size} boxes: the opponent can take {n} boxes at once, or leave the last two (double-dealing): whoever takes those has to move again.",
    "why.opens_loop": "It opens a loop of {size} boxes: the opponent can take {n} boxes at once.",
    "why.had_safe": "{n} safe edges were left, such as {edge}.",
    "why.had_safe.one": "A safe edge was left: {edge}.",
    "why.must_open":
      "After it the same side has to move again without a safe edge; every edge gives {n} boxes or more.",
    "why.must_open.one":
      "After it the same side has to move again without a safe edge; every edge gives a box or more.",
    "why.could_deal":
      "By {edge} the last {n} boxes could be left (double-dealing), so that the opponent has to move after taking them.",
    "why.long_chains": "After it there are {n} long chains; after the better move {better}.",
    "why.safe_edges": "After it {n} safe edges are left; after the better move {better}.",
    "why.dots-and-boxes.line_loses": "In the line {line} it loses {n} boxes more than it takes.",
    "why.dots-and-boxes.line_loses.one": "In the line {line} it loses a box more than it takes.",
    "why.dots-and-boxes.line_gains": "The line {line} gains {n} boxes.",
    "why.dots-and-boxes.line_gains.one": "The line {line} gains a box.",
    "why.dots-and-boxes.proven":
      "Certain: {exact} from here on, and {better} with the better move.",
  },
  zh: {
    "why.leaves_boxes": "留下了 {n} 个可以占的格。",
    "why.gives_boxes": "对方可以马上占 {n} 格。",
    "why.opens_chain":
      "打开了 {size} 格的长链：对方可以马上占 {n} 格，也可以留下最后两格（双交），占这两格的一方须继续走棋。",
    "why.opens_loop": "打开了 {size} 格的环：对方可以马上占 {n} 格。",
    "why.had_safe": "还有 {n} 条安全边，例如 {edge}。",
    "why.must_open": "走后须继续走棋，却已无安全边：任何一条边至少送出 {n} 格。",
    "why.could_deal": "走 {edge} 可以留下最后 {n} 格（双交），对方占完后须继续走棋。",
    "why.long_chains": "走后有 {n} 条长链，更好的着法之后有 {better} 条。",
    "why.safe_edges": "走后剩 {n} 条安全边，更好的着法之后剩 {better} 条。",
    "why.dots-and-boxes.line_loses": "在变化 {line} 中净失 {n} 格。",
    "why.dots-and-boxes.line_gains": "变化 {line} 可净得 {n} 格。",
    "why.dots-and-boxes.proven": "确定结果：此后{exact}，更好的着法{better}。",
  },
};

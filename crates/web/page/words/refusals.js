// The server's refusals in Chinese: its sentences are English, and those that a person
// is likely to meet have their words here. It is fetched when a first one is shown.

/** @type {[RegExp, string][]} */
const refusals = [
  [/^too many searches are running/, "正在进行的搜索太多，请稍后再试"],
  [/^there is no such game here$/, "没有这局棋"],
  [/^the game is over/, "对局已经结束"],
  [/^'(?<move>.+)' can't be played here$/, "此处不能走 {move}"],
  [/^this side line is not there any more$/, "这条变着已不存在"],
  [/^the game goes on; a line can replace it/, "对局仍在进行，结束后才能用变着替换"],
  [/^a contest's game stays as it was played$/, "比赛对局保持原样，不能改动"],
  [/^there is nothing to take back$/, "没有可悔的棋"],
  [/^the rules have decided this game$/, "按规则胜负已定"],
  [/^a comment has at most (?<n>\d+) characters$/, "评注最多 {n} 个字符"],
  [/^a name has at most 100 characters/, "名称最多 100 个字符，须在一行内"],
  [/^an engine in the page can't start programs/, "网页中的引擎不能启动程序或打开文件"],
  [/^(?<name>\w+) is at most (?<most>.+) on this server$/, "{name} 在本服务器上最多为 {most}"],
  [/^a game here has at most (?<n>\d+) moves$/, "一局棋最多 {n} 步"],
  [/^a match is playing; pause or stop it first$/, "已有对抗赛正在进行，请先暂停或停止"],
  [/^this match does not play$/, "这场对抗赛没有在进行"],
  [/^there is a team '(?<team>.+)' already$/, "已有队伍“{team}”"],
  [/^an event needs at least two teams$/, "至少需要两支队伍"],
  [/^fewer than two teams are left$/, "剩下的队伍不足两支"],
  [/^a team can join a running Swiss/, "比赛开始后，只有瑞士制可以加入新队伍"],
  [
    /^round (?<n>\d+) is not finished: table (?<tables>.+) has/,
    "第 {n} 轮尚未结束：第 {tables} 台没有成绩",
  ],
  [/^the game has a record; remove that first$/, "这局已有棋谱，请先删除棋谱"],
  [/^the next round depends on who won here/, "下一轮取决于这局的胜者，请先撤销下一轮编排"],
  [/^the next round is paired; take that round back/, "下一轮已编排，请先撤销下一轮编排"],
  [/^who resigns or does not appear has lost/, "认输或弃权的一方为负，请选择胜方"],
  [/^a name of (?:an event|a team|.+) has from 1 to 60/, "名称须为 1 至 60 个可见字符，在一行内"],
  [/^a Swiss tournament has from 1 to 99 rounds$/, "瑞士制须为 1 至 99 轮"],
  [/^the record can't be used: (?<why>.+)$/, "这份棋谱不能用：{why}"],
  [/^its game ended with another result/, "棋谱的结果与录入的结果不同"],
  [/^this looks like no record/, "无法识别的棋谱"],
  [/^'(?<text>.+)' is not a move; a step/, "“{text}”不是着法：走子写作 b2-c3，吃子写作 b2xe5"],
  [/^'(?<text>[^']+)' is not a column/, "“{text}”不是这个棋盘的列"],
  [/^'(?<text>[^']+)' is not an edge/, "“{text}”不是这个棋盘的边"],
  [/^column (?<n>\d+) is full/, "第 {n} 列已满"],
  [/^there is no engine '(?<name>[^']+)'/, "没有名为“{name}”的引擎"],
  [/^there is no game '(?<name>[^']+)'/, "没有名为“{name}”的棋种"],
];

/**
 * A refusal in Chinese; one without words of its own is quoted.
 * @param {string} sentence
 * @returns {string}
 */
export function inChinese(sentence) {
  // Which of several moves it is stands before what is wrong with it.
  const reason = sentence.replace(/^move \d+ \([^)]*\): /, "");
  for (const [pattern, words] of refusals) {
    const found = reason.match(pattern);
    if (found) {
      const { groups } = found;
      return words.replace(/\{(\w+)\}/g, (_, name) =>
        name === "why" ? inChinese(groups?.why ?? "") : (groups?.[name] ?? ""),
      );
    }
  }
  return `未能完成（${sentence}）`;
}

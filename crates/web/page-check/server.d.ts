// The JSON that the server sends and accepts. Players are numbers: 0 is First,
// 1 is Second. Chances and scores say whose they are.

declare namespace Api {
  /** The texts of both languages. */
  interface Words {
    en: string;
    zh: string;
  }

  /** What a page knows of a game beside its board script. */
  interface Game {
    name: string;
    title: Words;
    tagline: Words;
    /** What First and Second are called. */
    sides: [Words, Words];
    /** What a setup changes. */
    setup: "board" | "rules";
    /** Setups to offer, the default first; an empty text is the standard. */
    choices: string[];
    /** Whether First's side is at the top of a board that is not turned. */
    first_on_top: boolean;
    /** What flipping the board does: half a turn, or left and right only. */
    flip: "turn" | "mirror";
    /** Networks that come with the program, by name, for its standard setup. */
    networks: string[];
    /** Marks of the board script that can be switched on. */
    overlays: { name: string; title: Words }[];
  }

  interface Engine {
    name: string;
    help: string;
    /** Those it can play; every game if empty. */
    games: string[];
  }

  interface Catalogue {
    games: Game[];
    engines: Engine[];
    /** The strongest `level n=`. */
    levels: number;
    /** How games end. */
    reasons: Record<string, Words>;
    threads: number;
  }

  /** A named point, edge or column that can be clicked, in units of the board. */
  interface Place {
    id: string;
    name: string;
    x: number;
    y: number;
  }

  /** Where everything lies. A board script knows the further fields of its game. */
  interface Geometry {
    kind: string;
    width: number;
    height: number;
    places: Place[];
  }

  /** What stands on the board. A board script knows the further fields of its game. */
  interface View {
    /** A character a cell: `1`, `2`, `.` for empty, `#` for a hole. */
    cells: string;
    /** What First and Second have of what the game counts. */
    score?: [number, number];
    /** The places of the move that led here. */
    last?: string[];
  }

  /** A position and the move that led to it. */
  interface Ply {
    move: string | null;
    /** The move as people write it. */
    name: string | null;
    by: number | null;
    to_move: number;
    /** First's chance to win, from 0 to 1. */
    eval: number | null;
    /** What both clocks had left, in milliseconds. */
    left: [number, number] | null;
    position: string;
    view: View;
  }

  /** A position: after so many moves of the game, or after a side move. */
  interface Spot {
    ply: number;
    node: number | null;
  }

  /** A side move, after a ply of the game or after another side move. */
  interface TreeNode {
    id: number;
    parent: { ply?: number; node?: number };
    /** Moves up to it, itself included. */
    ply: number;
    move: string;
    name: string;
    by: number;
    note: string;
    ended: Outcome | null;
  }

  /** The side lines and comments of a game. */
  interface Tree {
    /** Comments on positions of the game itself, by ply. */
    notes: Record<number, string>;
    /** Of those after the same position, the first leads. */
    nodes: TreeNode[];
    /** A node below this that is not listed is gone. */
    next: number;
  }

  /** A side line from where it leaves the game, after `from` moves, to its end. */
  interface SideLine {
    from: number;
    nodes: number[];
    plies: Ply[];
  }

  /** A move, the places to click for it, and the cell where a stone comes to lie. */
  type Legal = [move: string, places: string[], landing: number | null];

  type Seat = "human" | { engine: string };

  interface Outcome {
    winner: number | null;
    reason: string;
  }

  interface Contest {
    ours: number;
    names: [string, string];
    event: string;
    place: string;
    ponder: boolean;
  }

  interface Study {
    on: boolean;
    engine: string;
  }

  interface Clocks {
    /** Milliseconds of First and Second when the message was sent. */
    left: [number, number];
    /** What each player began with; nothing for games of older versions. */
    total: number | null;
    running: number | null;
    increment: number;
    paused: boolean;
  }

  /** Everything about a game but its plies. */
  interface Head {
    id: string;
    /** The game and its setup. */
    game: string;
    name: string;
    start: string | null;
    played: number;
    to_move: number;
    outcome: Outcome | null;
    seats: [Seat, Seat];
    move_seconds: number;
    contest: Contest | null;
    names: [string, string] | null;
    study: Study;
    clocks: Clocks | null;
    /** Whether someone has stopped the game, its clocks and its engines. */
    paused: boolean;
    legal: Legal[];
    /** The player whose engine searches. */
    thinking: number | null;
    pondering: boolean;
    hint: Report | null;
    trouble: string | null;
    deleted: boolean;
    /** Why the engine that is to move does not compute. */
    waiting: "memory" | "unwatched" | null;
  }

  /** The event `access`: what this page may do, and which seats were given away. */
  interface Rights {
    owns: boolean;
    plays: [boolean, boolean];
    given: [boolean, boolean];
  }

  /** The event `game`: the plies from number `from` on are new. */
  interface GameEvent {
    from: number;
    plies: Ply[];
    head: Head;
    /** If it changed. */
    tree?: Tree;
  }

  /** A score for the player to move. */
  interface Score {
    /** From -1 to 1. */
    expected?: number;
    points?: number;
    proven?: { result: -1 | 0 | 1; plies: number | null };
  }

  /** What a solver or a table knows of a move, for the player who makes it. */
  interface Exact {
    move: string;
    /** The value in the game's measure lies from `low` to `high`. */
    low: number | null;
    high: number | null;
    /** Nothing while the bounds allow more than one result. */
    result: -1 | 0 | 1 | null;
    plies: number | null;
    /** What values count: how soon the end comes, boxes, or only who wins, with
     * plies to the next capture. */
    measure: "end" | "boxes" | "capture";
  }

  interface Line {
    move: string;
    name: string;
    places: string[];
    /** The search's; nothing for a move that was not searched. */
    score: Score | null;
    exact?: Exact;
    visits: number;
    /** The line as people write it, and its moves as text. */
    pv: string[];
    moves: string[];
  }

  /** What a search has found. */
  interface Report {
    ply: number;
    mover: number;
    best: string | null;
    best_name: string | null;
    /** First's chance to win, from 0 to 1. */
    first: number;
    /** The mover's chance to win, from 0 to 1. */
    win_rate: number;
    score: Score;
    depth: number;
    nodes: number;
    sims: number;
    seconds: number;
    source: "search" | "forced" | "solver" | "table" | "book";
    lines: Line[];
    /** What the opening book has for the position. */
    book?: { move: string; name: string; score: Score; games: number }[];
    /** What is certain of each move, where a solver or a table knows anything. */
    exact?: Omit<Exact, "measure">[];
    /** Whether it is about the position with the other side to move. */
    threat?: boolean;
  }

  /** Something certain about a move; `kind` is the key of its sentence. */
  interface Fact {
    kind: string;
    [value: string]: any;
  }

  interface ReviewedPly {
    ply: number;
    /** First's chance to win, from 0 to 1. */
    first: number;
    best: string | null;
    best_name: string | null;
    /** A best line as people write it, and as text. */
    line: string[];
    moves: string[];
    /** The move played and the best answer to it, for a mistake. */
    answer: string[];
    answer_moves: string[];
    certain: boolean;
    /** What the move played here cost its mover, from 0 to 1. */
    cost: number | null;
    /** Why, for a mistake. */
    why: Fact[];
  }

  interface Review {
    length: number;
    done: boolean;
    found: ReviewedPly[];
    /** Of both players, from 0 to 100. */
    accuracy?: [number | null, number | null];
  }

  /** How games ended: First won, drawn, Second won. */
  type Results = [number, number, number];

  interface PlayedMove {
    move: string;
    name: string;
    results: Results;
  }

  /** What is on record from a position. */
  interface Explored {
    book: NonNullable<Report["book"]>;
    /** Games that were read, and whether these are all there are. */
    games: number;
    whole: boolean;
    moves: PlayedMove[];
  }

  /** Fast games from a position. */
  interface Sample {
    ply: number;
    position: string;
    wanted: number;
    played: number;
    results: Results;
    /** Their mean length. */
    plies: number | null;
    moves: PlayedMove[];
  }

  /** A way that a piece could travel, as far as it is free. */
  interface Trail {
    /** From where the piece stands. */
    places: string[];
    /** Whether it ends on a piece that can be captured. */
    takes: boolean;
  }

  /** A position to ask about, by its text or as a board that was put together. */
  interface PositionRequest {
    game: string;
    position?: string | null;
    board?: { cells: string; edges: string; to_move: number };
    moves?: string;
  }

  interface Position {
    /** With its setup. */
    game: string;
    name: string;
    /** Where its moves began. */
    start: string;
    geometry: Geometry;
    ply: Ply;
    legal: Legal[];
    outcome: Outcome | null;
    trails: Trail[];
  }

  /** A new game. */
  interface NewGame {
    game: string;
    position?: string | null;
    moves?: string | null;
    record?: string;
    seats?: Seat[];
    move_seconds?: number;
    total?: number | null;
    increment?: number | null;
    contest?: Contest;
    study?: Study | null;
  }

  type Command =
    | { do: "play"; ply: number; move: string; cut?: boolean }
    | { do: "correct"; ply: number; move: string }
    | { do: "note"; ply: number; node: number | null; text: string }
    | { do: "promote" | "remove"; node: number }
    | { do: "undo" | "redo" | "hint" | "hurry" }
    | { do: "resign"; player: number }
    | { do: "result"; winner: number | null; reason: string }
    | { do: "reopen" }
    | { do: "pause"; on: boolean }
    | { do: "clocks"; left: number[] };

  interface AnalysisRequest extends Spot {
    tab: string;
    on: boolean;
    engine: string;
    threat: boolean;
  }

  /** A game in a list. */
  interface ListedGame {
    id: string;
    game: string;
    plies: number;
    /** Milliseconds since 1970. */
    updated: number;
    seats: [Seat, Seat];
    names: [string, string] | null;
    event: string | null;
    result: "1-0" | "0-1" | "1/2-1/2" | "*";
    /** Whether it stays whatever its age. */
    kept: boolean;
    /** Whether this page may keep or delete it. */
    owns: boolean;
  }

  interface Simulation {
    path: string[];
    expanded: number | null;
    /** First's result, from -1 to 1. */
    value: number;
    proven: boolean;
    backed_up: number;
  }

  interface TraceNode {
    move: string | null;
    mover: number;
    alpha: number;
    beta: number;
    /** For the mover. */
    value: number;
    visit: "end" | "leaf" | "all" | "cut";
    skipped: number;
    children: TraceNode[];
  }

  type Trace =
    | { search: "tree"; mover: number; simulations: Simulation[] }
    | { search: "alpha-beta"; depth: number; nodes: number; tree: TraceNode };

  /** A difference of ratings; infinite values come as null. */
  interface Estimate {
    value: number | null;
    error: number | null;
  }

  interface Tally {
    wins: number;
    draws: number;
    losses: number;
    /** Pairs of games by points: 0, 1/2, 1, 3/2, 2. */
    pairs: number[];
    games: number;
    points: number;
    score: number;
    wilson: [number, number];
    elo: { elo: Estimate; los: number } | null;
  }

  interface MatchRow {
    number: number;
    game: string;
    name: string;
    engines: string[];
    games: number;
    score: number | null;
    elo: Estimate | null;
  }

  interface StoreRow {
    id: string;
    name: string;
    changed: number;
    running: boolean;
    matches: MatchRow[];
    skipped: number;
    trouble: boolean;
  }

  interface ReportRow {
    id: string;
    name: string;
    changed: number;
    profile: string;
    version: string;
    experiments: number;
    unfinished: number;
    /** Reproduced, not reproduced, undecided. */
    verdicts: [number, number, number];
  }

  interface Arena {
    stores: StoreRow[];
    reports: ReportRow[];
    /** Whether this page may start matches. */
    starts: boolean;
  }

  interface Duration {
    secs: number;
    nanos: number;
  }

  interface Allowance {
    pace: { Move?: Duration; Game?: { base: Duration; increment: Duration } };
    sims: number | null;
    nodes: number | null;
    depth: number | null;
  }

  interface Entrant {
    spec: string;
    version: string | null;
    allowance: Allowance;
    rating: (number | null)[] | null;
    tally: Tally;
  }

  interface PlayedGame {
    index: number;
    engines: [number, number];
    outcome: Outcome;
    plies: number | null;
    note: string | null;
  }

  interface Match {
    store: string;
    changed: number;
    running: boolean;
    /** Of a match that was started in the page. */
    run: MatchRun | null;
    number: number;
    game: string;
    name: string;
    seed: number;
    openings: { random?: number; listed?: number };
    table: Entrant[];
    meetings: { engines: [number, number]; tally: Tally }[];
    latest: PlayedGame[];
  }

  interface Claim {
    about: string;
    printed: string;
    ours: string;
    verdict: string;
    rule: string;
  }

  interface Experiment {
    id: string;
    title: string;
    finished: boolean;
    waits: string | null;
    claims: Claim[];
  }

  interface ExperimentReport {
    profile: string;
    version: string;
    experiments: Experiment[];
  }
}

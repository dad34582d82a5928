// The JSON of matches that are started and watched in the page.

declare namespace Api {
  interface NewMatch {
    game: string;
    engines: string[];
    games: number;
    /** Seconds of a move, or else `nodes`. */
    seconds: number | null;
    nodes: number | null;
    /** Random plies of openings. */
    plies: number;
    seed: number;
  }

  interface MatchCommand {
    do: "pause" | "resume" | "stop";
  }

  /** Where a match that was started here stands. */
  interface MatchRun {
    games: number;
    state: "running" | "paused" | "stopped" | "done" | "failed";
    trouble?: string;
  }

  /** A game in play. */
  interface LiveGame {
    index: number | null;
    /** The engines of First and Second; nothing before they have moved. */
    engines: [number | null, number | null];
    game: string;
    plies: number;
    last: string | null;
    to_move: number;
    position: string;
    view: View;
    geometry: Geometry;
  }
}

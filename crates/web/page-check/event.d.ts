// The JSON of contest days. Teams, rounds, tables and games count from 0.

declare namespace Api {
  interface EventSummary {
    id: string;
    name: string;
    game: string;
    teams: number;
    rounds: number;
    planned: number;
    finished: boolean;
  }

  interface EventList {
    events: EventSummary[];
    /** Whether this page may change events. */
    changes: boolean;
  }

  type EventFormat = { kind: "swiss"; rounds: number } | { kind: "knockout" | "round-robin" };

  interface EventSettings {
    name: string;
    game: string;
    format: EventFormat;
    /** Games of a pairing. */
    games: number;
    minutes: number;
  }

  type NewEvent = EventSettings & { teams: string };

  interface EventTeam {
    name: string;
    withdrawn: boolean;
  }

  interface GameEnd {
    winner: "first" | "second" | "draw" | "nobody";
    reason: string;
  }

  /** Round, table, game. */
  type EventPlace = [number, number, number];

  interface EventGame {
    place: EventPlace;
    /** The teams that are First and Second. */
    sides: [number, number];
    /** As in the name of its record: R3T12. */
    name: string;
    end: GameEnd | null;
    record: string | null;
  }

  interface EventTable {
    teams: [number, number];
    games: EventGame[];
    half_points: [number, number];
    /** In a knockout: who goes on, 0 or 1. */
    advances: number | null;
  }

  interface EventRound {
    tables: EventTable[];
    byes: number[];
  }

  /** A row of the wall chart. */
  interface EventRow {
    rank: number;
    team: number;
    half_points: number;
    /** In halves. */
    buchholz: number;
    /** In quarters. */
    sonneborn_berger: number;
    wins: number;
    cells: string[];
  }

  interface Event {
    id: string;
    settings: EventSettings;
    teams: EventTeam[];
    rounds: EventRound[];
    rows: EventRow[];
    planned: number;
    /** Tables of the last round without a result. */
    open: number[];
    finished: boolean;
    changes: boolean;
    folder: string | null;
  }

  type EventCommand =
    | { do: "add_teams"; teams: string }
    | { do: "withdraw"; team: number; withdrawn: boolean }
    | { do: "pair"; round: number }
    | { do: "unpair" }
    | { do: "result"; place: EventPlace; end: GameEnd | null }
    | { do: "decide"; round: number; table: number; side: number }
    | { do: "record"; place: EventPlace; text: string | null };
}

// Types that several modules of the page share.

declare namespace Dom {
  type Child = Node | string | number | false | null | undefined | Child[];
  /** `on…` are listeners; null, undefined and false leave an attribute out. */
  type Attributes = Record<string, unknown>;
  /** A part of the game view that is drawn again after each change of the state. */
  interface Panel {
    element: HTMLElement;
    render(): void;
  }
}

// What a board script is, so that the page can draw a game without knowing it.
declare namespace Board {
  interface Point {
    x: number;
    y: number;
  }

  type Layer = "base" | "under" | "pieces" | "over" | "hits" | "drag" | "shapes";

  /** What a drawing works with. */
  interface Frame<G extends Api.Geometry = Api.Geometry> {
    geometry: G;
    /** Where a point is, now that the board may be turned. */
    at(point: Point): Point;
    places: Map<string, G["places"][number]>;
    layers: Record<Layer, SVGGElement>;
  }

  interface MarkOptions {
    /** Whether the scores of moves are shown. */
    scores: boolean;
    /** The script's own overlays that are switched on. */
    overlays: Set<string>;
    ply: Api.Ply | undefined;
  }

  /** The moves to mark on the board. */
  type Marked = Pick<Api.Line, "places" | "visits" | "score" | "exact">;

  interface Drawing {
    /** Draws what never changes. */
    base(): void;
    /** The area to click for a place. */
    hit(place: Api.Place): SVGElement;
    draw(ply: Api.Ply, animate: boolean): void;
    /** Shows where the piece at `from` can go. */
    targets(from: string | null, moves: Api.Legal[]): void;
    /** Shows what an engine thinks of moves. */
    marks(lines: Marked[] | null, options: MarkOptions): void;
    /** What a screen reader says of a place. */
    label(place: Api.Place, ply: Api.Ply): string;
    /** The point that a drawn arrow or circle means, where that is no place. */
    snap?(point: Point): Point | null;
    /** What follows the pointer while a piece is dragged. */
    ghost?(place: Api.Place): SVGElement;
    /** Shows ways that a piece could travel; `aim` is the target that is pointed at. */
    ways?(trails: Api.Trail[], aim: string | null): void;
  }

  /** Texts in both languages, by key. */
  type Words = { en: Record<string, string>; zh: Record<string, string> };

  /** What a person has put on a board, possible or not. */
  interface Edited {
    cells: string;
    edges: string;
  }

  /** `board/<game>.js` exports one of these as `script`. */
  interface Script {
    /** Room above and below the board, in its units. */
    margin?: { top: number; bottom: number };
    /** Texts that only this board needs. */
    words: Words;
    /** The sentences for what is certain about a move, fetched for a review. */
    why?: () => Promise<{ why: Words }>;
    /**
     * What the server says of a board that can't be, and the key of the page's own
     * words for it. Named groups stand in them; a group `one` that takes part makes
     * `side` First.
     */
    refusals?: [RegExp, string][];
    /** The shape of a player's pieces, of size 1 about the origin. */
    token(player: number): SVGElement;
    /** A picture for the first view, 6 wide and 4 high. */
    picture(): SVGElement[];
    drawing(frame: Frame): Drawing;
    /** The board after a click on a place with `1`, `2` or `.` in hand. */
    edit(board: Edited, id: string, brush: string, geometry: Api.Geometry): Edited;
    /** Places that can be clicked only while a board is edited. */
    editPlaces?(geometry: Api.Geometry): Api.Place[];
    /** Whether the move before this position captured. */
    captured?(view: Api.View): boolean;
    /** A move's name for large print. */
    spaced?(name: string): string;
    /** A move's name for the screen reader. */
    spoken?(name: string): string;
  }
}

// The rules of a game in steps: pictures of the rules, and lessons to play.
declare namespace Lesson {
  interface Step {
    title: Api.Words;
    text: Api.Words;
    /** The game with its setup; the default one if none is given. */
    game?: string;
    position?: string;
    /** Moves from there. */
    moves?: string;
    /** Pieces whose ways are shown. */
    ways?: string[];
    task?: Task;
  }

  interface Task {
    ask: Api.Words;
    /** The moves that are right, by text or by the name of their place; any if none are given. */
    accept?: string[];
    /** Several moves one after another, instead. */
    steps?: { accept?: string[]; replies?: string[] }[];
    done: Api.Words;
    retry?: Api.Words;
  }
}

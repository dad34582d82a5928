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

  type Layer = "base" | "under" | "pieces" | "over" | "hits" | "drag";

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
    /** What follows the pointer while a piece is dragged. */
    ghost?(place: Api.Place): SVGElement;
  }

  /** `board/<game>.js` exports one of these as `script`. */
  interface Script {
    /** Room above and below the board, in its units. */
    margin?: { top: number; bottom: number };
    /** Texts that only this board needs. */
    words: { en: Record<string, string>; zh: Record<string, string> };
    /** The shape of a player's pieces, of size 1 about the origin. */
    token(player: number): SVGElement;
    /** A picture for the first view, 6 wide and 4 high. */
    picture(): SVGElement[];
    drawing(frame: Frame): Drawing;
    /** Whether the move before this position captured. */
    captured?(view: Api.View): boolean;
    /** A move's name for large print. */
    spaced?(name: string): string;
    /** A move's name for the screen reader. */
    spoken?(name: string): string;
  }
}

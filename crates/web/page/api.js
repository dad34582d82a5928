// Requests to the server. Everything that changes by itself comes over the event
// stream (stream.js).

import { current, t } from "./i18n.js";

/** A refusal by the server: its message is in the language of the page. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {string} sentence the server's own
   * @param {number} status of HTTP
   */
  constructor(message, sentence, status) {
    super(message);
    this.sentence = sentence;
    this.status = status;
  }
}

/** @param {string} sentence @param {number} status */
async function refusal(sentence, status) {
  if (current() === "en") return new ApiError(sentence, sentence, status);
  const { inChinese } = await import("./words/refusals.js");
  return new ApiError(inChinese(sentence), sentence, status);
}

/**
 * @template T
 * @param {string} path
 * @param {unknown} [body] a POST if given
 * @param {string} [method]
 * @returns {Promise<T>}
 */
async function request(path, body, method = "POST") {
  const options =
    body === undefined
      ? {}
      : {
          method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        };
  const response = await fetch(path, options).catch(() => {
    throw new Error(t("offline"));
  });
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw await refusal(data.error || `${response.status}`, response.status);
  return data;
}

/** What can be played and by which engines. @returns {Promise<Api.Catalogue>} */
export const catalogue = () => request("/api/catalog");

/**
 * The games that changed last.
 * @param {{text?: string, kept?: boolean, skip?: number, most?: number}} wanted
 * @returns {Promise<Api.ListedGame[]>}
 */
export const list = ({ text = "", kept = false, skip = 0, most = 50 }) =>
  request(
    `/api/games?${new URLSearchParams({ text, kept: `${kept}`, skip: `${skip}`, most: `${most}` })}`,
  );

/** Keeps a game whatever its age, or no longer. @param {string} id @param {boolean} on */
export const keep = (id, on) => request(`/api/games/${id}/keep`, { on });

/** Deletes a game. @param {string} id */
export const remove = (id) => request(`/api/games/${id}`, {}, "DELETE");

/**
 * A position without a game, or a refusal that says why it can't be.
 * @param {Api.PositionRequest} wanted
 * @returns {Promise<Api.Position>}
 */
export const position = (wanted) => request("/api/position", wanted);

/**
 * A board that was put together, as a position or with a sentence on what is wrong.
 * @param {Api.PositionRequest} wanted
 * @returns {Promise<Partial<Api.Position> & {wrong?: string}>}
 */
export const edited = (wanted) => request("/api/position", wanted);

/** @param {Api.NewGame} game @returns {Promise<{id: string}>} */
export const create = (game) => request("/api/games", game);

/** @param {string} id @param {Api.Command} command */
export const command = (id, command) => request(`/api/games/${id}`, command);

/**
 * A new link that gives a player's seat to the first who opens it.
 * @param {string} id
 * @param {number} player
 * @returns {Promise<{link: string}>}
 */
export const giveSeat = (id, player) => request(`/api/games/${id}/seat`, { player });

/**
 * Takes the seat that a link gives.
 * @param {string} id
 * @param {string} link
 * @returns {Promise<{player: number}>}
 */
export const takeSeat = (id, link) => request(`/api/games/${id}/seat`, { link });

/** @param {string} id @param {Api.Spot} spot @returns {Promise<Api.Legal[]>} */
export const legal = (id, { ply, node }) =>
  request(`/api/games/${id}/legal?ply=${ply}${node === null ? "" : `&node=${node}`}`);

/** The line that goes on after a side move. @param {string} id @param {number} node
 * @returns {Promise<Api.SideLine>} */
export const line = (id, node) => request(`/api/games/${id}/line?node=${node}`);

/**
 * Adds a move to a side line, or finds it; gives where it leads.
 * @param {string} id
 * @param {Api.Spot & {move: string}} wanted
 * @returns {Promise<Api.Spot>}
 */
export const vary = (id, wanted) => request(`/api/games/${id}/line`, wanted);

/** @param {string} id @param {Api.AnalysisRequest} wanted */
export const analyse = (id, wanted) => request(`/api/games/${id}/study`, wanted);

/**
 * The positions along a line.
 * @param {string} id
 * @param {Api.Spot} spot where it begins
 * @param {string[]} moves
 * @returns {Promise<Api.Ply[]>}
 */
export const preview = (id, spot, moves) => request(`/api/games/${id}/preview`, { ...spot, moves });

/**
 * Judges a move that is tried in place of one that was played.
 * @param {string} id
 * @param {number} ply
 * @param {string} move
 * @returns {Promise<Api.ReviewedPly>}
 */
export const tryMove = (id, ply, move) => request(`/api/games/${id}/try`, { ply, move });

/** @param {string} id @param {Api.Spot} spot @returns {Promise<Api.Explored>} */
export const explore = (id, { ply, node }) =>
  request(`/api/games/${id}/explore?ply=${ply}${node === null ? "" : `&node=${node}`}`);

/** Has fast games played from a position. @param {string} id @param {Api.Spot} spot */
export const sample = (id, spot) => request(`/api/games/${id}/sample`, spot);

/** @param {string} id */
export const review = (id) => request(`/api/games/${id}/review`, {});

/**
 * @param {string} id
 * @param {Api.Spot & {search: string, seed: number}} wanted
 * @returns {Promise<Api.Trace>}
 */
export const trace = (id, wanted) => request(`/api/games/${id}/inside`, wanted);

/** Every match and report. @returns {Promise<Api.Arena>} */
export const arena = () => request("/api/arena");

/** @param {string} store @param {string} number @returns {Promise<Api.Match>} */
export const match = (store, number) => request(`/api/arena/${store}/${number}`);

/** @param {Api.NewMatch} match @returns {Promise<{store: string, number: number}>} */
export const startMatch = (match) => request("/api/arena", match);

/** @param {string} store @param {string} number @param {Api.MatchCommand} command */
export const runMatch = (store, number, command) =>
  request(`/api/arena/${store}/${number}/run`, command);

/**
 * The games that a match plays at this moment.
 * @param {string} store
 * @param {string} number
 * @returns {Promise<{games: Api.LiveGame[]}>}
 */
export const liveGames = (store, number) => request(`/api/arena/${store}/${number}/live`);

/**
 * Opens a game of a match on the board.
 * @param {string} store
 * @param {string} number
 * @param {number} game
 * @returns {Promise<{id: string}>}
 */
export const openGame = (store, number, game) => request(`/api/arena/${store}/${number}`, { game });

/** Every contest day. @returns {Promise<Api.EventList>} */
export const events = () => request("/api/events");

/** @param {Api.NewEvent} event @returns {Promise<{id: string}>} */
export const newEvent = (event) => request("/api/events", event);

/** @param {string} id @returns {Promise<Api.Event>} */
export const event = (id) => request(`/api/events/${encodeURIComponent(id)}`);

/** @param {string} id @param {Api.EventCommand} command @returns {Promise<Api.Event>} */
export const changeEvent = (id, command) =>
  request(`/api/events/${encodeURIComponent(id)}`, command);

/**
 * The record of a game of a contest day.
 * @param {string} id
 * @param {Api.EventPlace} place
 * @returns {Promise<{text: string}>}
 */
export const eventRecord = (id, [round, table, game]) =>
  request(
    `/api/events/${encodeURIComponent(id)}/record?round=${round}&table=${table}&game=${game}`,
  );

/** The record of a game of this server, as text. @param {string} id */
export async function recordText(id) {
  const response = await fetch(`/api/games/${id}/record`);
  if (!response.ok) throw new ApiError(t("missing"), "", response.status);
  return response.text();
}

/** @param {string} id @returns {Promise<Api.ExperimentReport>} */
export const report = (id) => request(`/api/reports/${id}`);

// Requests to the server. Everything that changes by itself comes over the event
// stream (stream.js).

import { t } from "./i18n.js";

/** A refusal by the server, in a sentence. */
export class ApiError extends Error {
  /** @param {string} message @param {number} status of HTTP */
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/**
 * @template T
 * @param {string} path
 * @param {unknown} [body] a POST if given
 * @returns {Promise<T>}
 */
async function request(path, body) {
  const options =
    body === undefined
      ? {}
      : {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        };
  const response = await fetch(path, options).catch(() => {
    throw new Error(t("offline"));
  });
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(data.error || `${response.status}`, response.status);
  return data;
}

/** What can be played and by which engines. @returns {Promise<Api.Catalogue>} */
export const catalogue = () => request("/api/catalog");

/** @returns {Promise<Api.RecentGame[]>} */
export const recent = () => request("/api/games");

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

/** @param {string} id @param {number} ply @returns {Promise<Api.Legal[]>} */
export const legal = (id, ply) => request(`/api/games/${id}/legal?ply=${ply}`);

/** @param {string} id @param {Api.AnalysisRequest} wanted */
export const analyse = (id, wanted) => request(`/api/games/${id}/study`, wanted);

/** @param {string} id */
export const review = (id) => request(`/api/games/${id}/review`, {});

/**
 * @param {string} id
 * @param {{search: string, ply: number, seed: number}} wanted
 * @returns {Promise<Api.Trace>}
 */
export const trace = (id, wanted) => request(`/api/games/${id}/inside`, wanted);

/** Every match and report. @returns {Promise<Api.Arena>} */
export const arena = () => request("/api/arena");

/** @param {string} store @param {string} number @returns {Promise<Api.Match>} */
export const match = (store, number) => request(`/api/arena/${store}/${number}`);

/**
 * Opens a game of a match on the board.
 * @param {string} store
 * @param {string} number
 * @param {number} game
 * @returns {Promise<{id: string}>}
 */
export const openGame = (store, number, game) => request(`/api/arena/${store}/${number}`, { game });

/** @param {string} id @returns {Promise<Api.ExperimentReport>} */
export const report = (id) => request(`/api/reports/${id}`);

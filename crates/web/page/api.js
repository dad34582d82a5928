// Small requests to the server. Everything that changes by itself comes over
// the event stream (events.js).

/** @param {string} path @param {any} [body] a POST if given */
async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  const answer = await fetch(path, options);
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(data.error || `${answer.status}`);
  return data;
}

export const catalog = () => ask("/api/catalog");
export const recent = () => ask("/api/games");
/** @param {any} request @returns {Promise<{id: string}>} */
export const create = (request) => ask("/api/games", request);
/** @param {string} id @param {any} command */
export const command = (id, command) => ask(`/api/games/${id}`, command);
/** @param {string} id @param {number} ply */
export const legal = (id, ply) => ask(`/api/games/${id}/legal?ply=${ply}`);
/** @param {string} id @param {any} wish */
export const study = (id, wish) => ask(`/api/games/${id}/study`, wish);
/** @param {string} id */
export const review = (id) => ask(`/api/games/${id}/review`, {});
/** @param {string} id @param {any} question */
export const inside = (id, question) => ask(`/api/games/${id}/inside`, question);
/** Every match and report. */
export const arena = () => ask("/api/arena");
/** One match. @param {string} store @param {string} number */
export const match = (store, number) => ask(`/api/arena/${store}/${number}`);
/** Puts a game of a match on the board. @param {string} store @param {string} number @param {number} game @returns {Promise<{id: string}>} */
export const exhibit = (store, number, game) => ask(`/api/arena/${store}/${number}`, { game });
/** @param {string} id */
export const report = (id) => ask(`/api/reports/${id}`);

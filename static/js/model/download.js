/** Fetching files with a count of the bytes. Sizes are decoded ones: a Content-Length counts compressed bytes. */

/** @typedef {{url: string, bytes: number}} Asset */

/**
 * @param {Asset} asset
 * @param {(more: number) => void} count  called with the number of decoded bytes of each piece that arrives
 * @returns {Promise<Uint8Array>}
 * @throws {Error} saying which file, and what was wrong with it
 */
export async function download({url, bytes}, count) {
  const name = new URL(url).pathname.split('/').pop();
  const response = await fetch(url, {credentials: 'omit'}).catch(() => {
    throw new Error(unfetched(name));
  });
  if (!response.ok || !response.body) throw new Error(`the server answered ${response.status} when asked for ${name}`);
  const whole = new Uint8Array(bytes);
  let received = 0;
  for await (const piece of pieces(response.body, name)) {
    if (received + piece.length > bytes) throw new Error(`${name} is longer than it should be: this page and its files are of different versions; reload it`);
    whole.set(piece, received);
    received += piece.length;
    count(piece.length);
  }
  if (received < bytes) throw new Error(`${name} ended after ${received.toLocaleString('en')} of ${bytes.toLocaleString('en')} bytes`);
  return whole;
}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @param {string|undefined} name
 */
async function* pieces(body, name) {
  const reader = body.getReader(); // WebKit's streams have no async iterator
  for (;;) {
    const {done, value} = await reader.read().catch(() => {
      throw new Error(`the connection was lost while ${name} was on its way`);
    });
    if (done) return;
    yield value;
  }
}

/**
 * @param {string|undefined} what
 * @returns {string}
 */
export function unfetched(what) {
  return `${what} could not be fetched; is the connection lost?`;
}

/**
 * @param {number} bytes
 * @returns {string} megabytes with one decimal, without the unit
 */
export function megabytes(bytes) {
  return (bytes / 1e6).toFixed(1);
}

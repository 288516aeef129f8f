/** Requests of calls that wait for their response. */
const waiting = new Set<readonly Request[]>();
/** Requests by the body of their response, which a reader holds. */
const arriving = new WeakMap<ReadableStream, readonly Request[]>();

/**
 * Keeps requests in memory until the response has arrived, and then for as long as its body. In Node a request refers only weakly
 * to the one that is made of it, and `fetch` to its own, so that an abort or a time limit reaches nothing once the garbage
 * collector has run: the call would wait for ever.
 */
export async function holding(
  requests: readonly Request[],
  send: () => Promise<Response>,
): Promise<Response> {
  waiting.add(requests);
  try {
    const response = await send();
    const { body } = response;
    if (body) arriving.set(body, [...(arriving.get(body) ?? []), ...requests]);
    return response;
  } finally {
    waiting.delete(requests);
  }
}

import { ConnectionError, RedirectError, sendDirectly } from '@vaultsvc/client';

/**
 * `fetch` for what may be secret, outside of the client: it follows no redirect, and names the server that cannot be reached.
 * @throws RedirectError, ConnectionError
 */
export async function directFetch(url: string, init: RequestInit = {}): Promise<Response> {
  try {
    return await sendDirectly((request) => fetch(request), new Request(url, init));
  } catch (error) {
    if (error instanceof RedirectError || init.signal?.aborted) throw error;
    throw new ConnectionError(error, url);
  }
}

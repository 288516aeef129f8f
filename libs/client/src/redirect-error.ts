import { originOf } from './foreign-answer.js';
import { holding } from './holding.js';

/** A redirect, which is never followed: its target would receive credentials and content. */
export class RedirectError extends Error {
  override readonly name = 'RedirectError';
  /** The origin that redirects. */
  readonly origin: string | undefined;
  /** The origin of the target; undefined in browsers, which do not reveal it. */
  readonly target: string | undefined;

  /** Of both URLs only the origins are kept: a path may be a secret. */
  constructor(url: string, location: string | null | undefined) {
    const origin = originOf(url);
    const target = location && URL.canParse(location, url) ? new URL(location, url).origin : undefined;
    super(
      `${origin ?? 'The server'} redirects to ${target ?? 'another address'}. Redirects are not followed, because credentials and content would go there.`,
    );
    this.origin = origin;
    this.target = target;
  }
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Whether a status asks the client to send the request elsewhere. */
export function isRedirect(status: number | undefined): boolean {
  return status !== undefined && REDIRECTS.has(status);
}

/**
 * Sends a request that may carry credentials or be one itself. `manual` instead of `error`: the error of `fetch` does not name
 * the target.
 * @throws RedirectError
 */
export async function sendDirectly(
  send: (request: Request) => Promise<Response>,
  request: Request,
): Promise<Response> {
  const direct = new Request(request, { redirect: 'manual' });
  const response = await holding([request, direct], () => send(direct));
  if (response.type !== 'opaqueredirect' && !isRedirect(response.status)) return response;
  await response.body?.cancel();
  throw new RedirectError(request.url, response.headers.get('Location'));
}

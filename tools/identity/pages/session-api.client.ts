// Calls the API from the sign-in page. The refresh token is in an HttpOnly cookie; the access token is only in a variable.

const ATTEMPTS_MAX = 5;

/** The envelope of the API's answers. */
interface Reply {
  data?: unknown;
  error?: { message?: string };
  meta?: { request_id?: string };
}

interface ApiRequest extends RequestInit {
  headers: Record<string, string>;
}

/** An error with a message for the user. */
export class Problem extends Error {
  /** Of the API's answer, if there was one. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** A value that the server has written into an attribute of the page. */
export function setting(name: 'api' | 'authorize' | 'clientId' | 'redirectUri' | 'scope'): string {
  const value = document.body.dataset[name];
  if (value === undefined) throw new TypeError(`The page has no setting ${name}`);
  return value;
}

const api = setting('api');
let accessToken = '';

/** @param token that the next calls present; empty for none */
export function useAccessToken(token: string) {
  accessToken = token;
}

/**
 * Calls an operation that reads or writes the refresh cookie, under a lock that all tabs share: a late answer must not
 * overwrite a newer cookie.
 */
export function callExclusively(path: string, body: object = {}): Promise<unknown> {
  return navigator.locks.request('vaultsvc-refresh', () => call(path, body));
}

export function call(path: string, body: object = {}): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', 'X-VK-Client': 'web' };
  return send(path, { method: 'POST', credentials: 'include', headers, body: JSON.stringify(body) });
}

/** Returns the data of the answer. */
export async function send(path: string, request: ApiRequest): Promise<unknown> {
  if (accessToken) request.headers.Authorization = `Bearer ${accessToken}`;
  const response = await fetchWithRetry(api + path, request).catch(() => {
    throw new Problem(`The API at ${api} does not answer. Check that the stack is running, then try again.`);
  });
  if (response.status === 204) return undefined;
  const reply = replyOf(await response.json().catch(() => undefined));
  if (reply.data) return reply.data;
  throw new Problem(messageFor(response, reply), response.status);
}

function replyOf(body: unknown): Reply {
  return typeof body === 'object' && body !== null ? body : {};
}

/** Retries a 429 with `Retry-After: 1`, which guarantees that the request had no effect. */
async function fetchWithRetry(url: string, request: RequestInit, attempts = 1): Promise<Response> {
  const response = await fetch(url, request);
  const isMomentary = response.status === 429 && response.headers.get('Retry-After') === '1';
  if (!isMomentary || attempts === ATTEMPTS_MAX) return response;
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return fetchWithRetry(url, request, attempts + 1);
}

function messageFor({ status, headers }: Response, { error, meta }: Reply) {
  const advice: Record<number, string> = {
    401: 'Sign in again.',
    403: 'Ask an owner of that organization to invite you, or log out and use another address.',
    404: 'Reload the page.',
    409: 'Log out and sign in again.',
    429: `Wait ${headers.get('Retry-After') ?? 'some'} seconds, then try again.`,
  };
  const message = (error?.message ?? `The API answered ${status}`).replace(/\.?$/, '.');
  const reference = status >= 500 && meta?.request_id ? ` (Request ${meta.request_id}.)` : '';
  return `${message} ${advice[status] ?? (status >= 500 ? 'Try again in a moment.' : '')}${reference}`.trim();
}

import createFetchClient from 'openapi-fetch';
import { ApiError } from './api-error.js';
import type {
  Answer,
  Call,
  CallOptions,
  CallSettings,
  Meta,
  OptionsArgument,
  PathOf,
} from './client-types.js';
import { keyedCalls, repeatableCalls } from './generated/call-rules.js';
import type { paths } from './generated/api.js';
import { answered } from './answered.js';
import { isPage } from './foreign-answer.js';
import { ignoredNamesOf, type IgnoredNames } from './ignored-names.js';
import { holding } from './holding.js';
import { withRetries, type RetryOptions } from './retry.js';
import type { Session } from './session/session.js';

/** The settings of a client. */
export interface ClientOptions {
  /** The origin of the API, for example `https://api.example.com`. */
  readonly url: string;
  readonly apiKey?: string;
  /** The session of a person, in place of a key. */
  readonly session?: Session;
  /** A Vault Access Token that is sent with every call. */
  readonly vat?: string;
  readonly retry?: RetryOptions;
  /** Seconds until a single attempt counts as unanswered; 30 by default. */
  readonly timeoutSeconds?: number;
  /** Is called for each response to names that the API does not know and has ignored; usually they are misspelled. */
  readonly onIgnored?: (ignored: IgnoredNames) => void;
  /** A replacement of the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** A client of the API. Its methods are typed by the paths of the API's document. */
export interface Client {
  readonly url: string;
  readonly GET: Call<'get'>;
  readonly POST: Call<'post'>;
  readonly PUT: Call<'put'>;
  readonly PATCH: Call<'patch'>;
  readonly DELETE: Call<'delete'>;
  /** A GET whose body the caller reads, such as an export. Rejects like the others. */
  stream<P extends PathOf<'get'>>(
    path: P,
    ...options: OptionsArgument<CallOptions<'get', P>>
  ): Promise<Response>;
  /** A client with the same settings and a Vault Access Token. */
  withVat(vat: string): Client;
}

/** Creates a client. Without `apiKey` and `session` it makes the calls that need no credential. */
export function createClient(options: ClientOptions): Client {
  const caller = new Caller(options);
  const method = <M extends Method>(name: M) =>
    ((path: string, settings?: AnyOptions) => caller.answer(name, path, settings)) as unknown as Call<M>;
  return {
    url: caller.origin,
    GET: method('get'),
    POST: method('post'),
    PUT: method('put'),
    PATCH: method('patch'),
    DELETE: method('delete'),
    stream: async (path, ...[settings]) =>
      (await caller.send('get', path, { ...(settings as AnyOptions), parseAs: 'stream' })).response,
    withVat: (vat) => createClient({ ...options, vat }),
  };
}

interface AnyOptions extends CallSettings {
  readonly params?: object;
  readonly body?: unknown;
  readonly parseAs?: 'stream';
}

interface Sent {
  readonly body?: unknown;
  readonly response: Response;
}

/** Makes calls: credentials, idempotency keys, retries and errors. */
class Caller {
  readonly origin: string;
  readonly #api: ReturnType<typeof createFetchClient<paths>>;
  readonly #fetch: (request: Request) => Promise<Response>;

  constructor(private readonly options: ClientOptions) {
    this.origin = new URL(options.url).origin;
    this.#api = createFetchClient<paths>({ baseUrl: this.origin });
    this.#fetch = options.fetch ?? ((request) => fetch(request));
  }

  async answer(method: Method, path: string, options?: AnyOptions): Promise<Answer<unknown>> {
    const { body, response } = await this.send(method, path, options);
    const { data, meta } = (isEnvelope(body) ? body : { data: body }) as { data: unknown; meta?: Meta };
    return { data, meta, response };
  }

  /** Resolves with a success. */
  async send(method: Method, path: string, options: AnyOptions = {}): Promise<Sent> {
    const { vat, idempotencyKey, isRepeatable, headers, signal, ...rest } = options;
    const call = `${method.toUpperCase()} ${path}`;
    const key = keyOf(call, idempotencyKey);
    const isIdempotent =
      isRepeatable === true ||
      key !== undefined ||
      method === 'put' ||
      method === 'delete' ||
      repeatableCalls.has(call);
    let last: Response | undefined;
    const attempts = async (request: Request) => {
      last = await withRetries(
        () => this.#attempt(request, vat),
        { isIdempotent, hasKey: key !== undefined, url: request.url },
        this.options.retry ?? {},
        signal,
      );
      await refusePage(last);
      return last;
    };
    const init = {
      ...rest,
      signal,
      headers: { ...headers, ...(key !== undefined && { 'Idempotency-Key': key }) },
      fetch: attempts,
    };
    const { data, error, response } = await this.#api
      .request(method, path as never, init as never)
      .catch((thrown: unknown) => {
        throw thrown instanceof SyntaxError && last ? ApiError.of(last, undefined) : thrown;
      });
    this.#reportIgnored(call, response);
    const isEmptied = data === undefined && response.status !== 204 && options.parseAs !== 'stream';
    // Only 204 has no content; proxies answer so, too.
    if (!response.ok || isEmptied) throw ApiError.of(response, error);
    return { body: data, response };
  }

  #reportIgnored(call: string, response: Response): void {
    const names = ignoredNamesOf(response);
    if (names.length > 0) this.options.onIgnored?.({ call, names });
  }

  /** A request can be sent once; the attempts are copies of it. */
  async #attempt(request: Request, vat: string | undefined): Promise<Response> {
    if (new URL(request.url).origin !== this.origin) return this.#transmit(request, {});
    const { session } = this.options;
    const token = await session?.accessToken();
    const response = await this.#transmit(request, this.#credentials(token, vat));
    if (response.status !== 401 || !session || token === undefined) return response;
    const renewed = await session.renewAfter(token);
    if (renewed === undefined) return response;
    await response.body?.cancel();
    return this.#transmit(request, this.#credentials(renewed, vat));
  }

  #credentials(token: string | undefined, vat = this.options.vat): Record<string, string> {
    const { apiKey } = this.options;
    return {
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...(token === undefined && apiKey !== undefined && { 'X-API-Key': apiKey }),
      ...(vat !== undefined && { 'X-Vault-Access-Token': vat }),
    };
  }

  #transmit(request: Request, headers: Record<string, string>): Promise<Response> {
    const copy = request.clone();
    for (const [name, value] of Object.entries(headers)) copy.headers.set(name, value);
    const limits = { seconds: this.options.timeoutSeconds ?? 30, signal: request.signal };
    return holding([request, copy], () => answered(this.#fetch, copy, limits));
  }
}

/** A page with a status of success would otherwise fail as invalid JSON, or pass as the content of a stream. */
async function refusePage(response: Response): Promise<void> {
  if (!response.ok || !isPage(response.headers.get('Content-Type'))) return;
  await response.body?.cancel();
  throw ApiError.of(response, undefined);
}

function keyOf(call: string, chosen: string | false | undefined): string | undefined {
  if (chosen === false) return undefined;
  return chosen ?? (keyedCalls.has(call) ? crypto.randomUUID() : undefined);
}

function isEnvelope(body: unknown): boolean {
  return typeof body === 'object' && body !== null && 'data' in body && 'meta' in body;
}

import type { RawHeaders } from './response.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const MAX_AGE_SECONDS = '600';

export interface CorsOptions {
  /** Compared exactly; never reflected, never `*`, because responses may depend on credentials. */
  readonly origins: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
}

/** CORS headers for a closed list of origins (OPEN-54); other origins get none but `Vary`. Built once per origin. */
export class Cors {
  readonly #responses: ReadonlyMap<string, RawHeaders>;
  readonly #preflights: ReadonlyMap<string, RawHeaders>;

  constructor({ origins, allowHeaders, exposeHeaders }: CorsOptions) {
    const own = (origin: string) => [
      ...vary,
      'Access-Control-Allow-Origin',
      origin,
      'Access-Control-Allow-Credentials',
      'true',
    ];
    const expose = ['Access-Control-Expose-Headers', exposeHeaders.join(', ')];
    const allow = [
      'Access-Control-Allow-Methods',
      METHODS,
      'Access-Control-Allow-Headers',
      allowHeaders.join(', '),
    ];
    this.#responses = new Map(origins.map((origin) => [origin, [...own(origin), ...expose]]));
    this.#preflights = new Map(
      origins.map((origin) => [
        origin,
        [...own(origin), ...allow, 'Access-Control-Max-Age', MAX_AGE_SECONDS],
      ]),
    );
  }

  /** Headers of a response to a page of this origin. */
  responseHeaders(origin: string | undefined): RawHeaders {
    return (origin !== undefined && this.#responses.get(origin)) || vary;
  }

  /** Headers of a response to a preflight request. */
  preflightHeaders(origin: string | undefined): RawHeaders {
    return (origin !== undefined && this.#preflights.get(origin)) || vary;
  }
}

/** A response differs by Origin, also without one, so caches must store one per Origin. */
const vary: RawHeaders = ['Vary', 'Origin'];

import type { Headers } from './headers.js';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
const MAX_AGE_SECONDS = '600';

export interface CorsLists {
  /** Compared exactly; never reflected, never `*`, because answers may carry credentials. */
  readonly origins: readonly string[];
  readonly allowHeaders: readonly string[];
  readonly exposeHeaders: readonly string[];
}

/** CORS for a closed list of origins (OPEN-54). Answers of other origins carry no CORS header at all. */
export class Cors {
  readonly #answers: ReadonlyMap<string, Headers>;
  readonly #preflights: ReadonlyMap<string, Headers>;

  constructor({ origins, allowHeaders, exposeHeaders }: CorsLists) {
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
    this.#answers = new Map(origins.map((origin) => [origin, [...own(origin), ...expose]]));
    this.#preflights = new Map(
      origins.map((origin) => [
        origin,
        [...own(origin), ...allow, 'Access-Control-Max-Age', MAX_AGE_SECONDS],
      ]),
    );
  }

  answer(origin: string | undefined): Headers {
    return (origin !== undefined && this.#answers.get(origin)) || vary;
  }

  preflight(origin: string | undefined): Headers {
    return (origin !== undefined && this.#preflights.get(origin)) || vary;
  }
}

/** The answer differs by Origin, also for callers that sent none: a cache must know. */
const vary: Headers = ['Vary', 'Origin'];

import type { Route, Shape } from './notation.js';
import type { Fields } from './rules.js';

/**
 * Who may call: `none` anybody (MISC-07), `optional` anybody, a session counts (OPEN-25), `key` an API key or a session
 * (ENV-38), `session` a session only (AMB-17), `identity-only` a session without an account only (AMB-19), `any` each of
 * them, `provider` a request that a provider signed.
 */
export type Credential = 'none' | 'optional' | 'key' | 'session' | 'identity-only' | 'any' | 'provider';

/** Errors that the row adds to the general ones. */
export type RowError =
  | '401 UNAUTHORIZED'
  | '401 TOKEN_REPLAY'
  | '402 PLAN_REQUIRED'
  | '402 QUOTA_EXCEEDED'
  | '403 FORBIDDEN'
  | '404 NOT_FOUND'
  | '404 UPLOAD_SOURCE_DISABLED'
  | '409 CONFLICT'
  | '412 PRECONDITION_FAILED'
  | '500 CRYPTOGRAPHIC_ERROR';

/** A caller of the tests. */
export type CallerName =
  | 'anonymous'
  | 'unknown key'
  | 'API key'
  | 'identity-only'
  | 'member'
  | 'viewer'
  | 'admin'
  | 'owner';

/** A request with an answer that the rest of the row does not tell. */
export interface Case {
  readonly law: string;
  /** Default: the owner. */
  readonly by?: CallerName;
  /** Fields of the body that replace those of a valid request; `undefined` leaves one out. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly answer: RowError | '400 VALIDATION_ERROR' | '200' | '201' | '202';
}

/** What the requirements say of one operation. */
export interface Row {
  /** The requirements, decisions and documents behind the row. */
  readonly law: string;
  /** Where it is served. Default: the API. */
  readonly origin?: 'links' | 'forge';
  /** Default `key`. */
  readonly by?: Credential;
  /** `admin`: an owner, an admin or an API key (AMB-17). Default: every role. */
  readonly role?: 'admin';
  /** The access level of the Vault Access Token that the call needs (VAT-01, VAT-08). */
  readonly vat?: 'read' | 'write';
  readonly status: 200 | 201 | 202 | 204;
  /** It draws storage or bandwidth, so it shows `meta.pools` (OPEN-03); `read`: never refused with 402 (OPEN-58). */
  readonly billable?: 'write' | 'read';
  /** The payload in `data`; without it the answer has no body (ENV-42). `bare`: the document has no envelope (OPEN-56). */
  readonly data?: Shape;
  readonly bare?: true;
  readonly query?: Fields;
  readonly body?: Fields;
  /** Beyond 400, 401, 413, 429 and 500, 403 of a role, and 404 of an id in the path. */
  readonly errors?: readonly RowError[];
  /** The operation is off on the platform of the tests, and answers this. */
  readonly off?: RowError;
  /** The viewer seat is refused with 403 (AMB-18). */
  readonly seat?: 'full';
  /** Further requests with their answers. */
  readonly cases?: readonly Case[];
  /** The answer to an id in the path that does not exist. Default 404 NOT_FOUND (AMB-58). */
  readonly unknown?: 204 | 400;
}

export type Law = Readonly<Record<Route, Row>>;

/** Rows of a subject, by method and path. */
export const law = <T extends Law>(rows: T): T => rows;

/** Errors of every billable write. */
export const DRAWS = ['402 PLAN_REQUIRED', '402 QUOTA_EXCEEDED'] as const;

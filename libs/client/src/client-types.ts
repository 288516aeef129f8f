import type { ParamsOption, RequestBodyOption } from 'openapi-fetch';
import type {
  FilterKeys,
  HttpMethod,
  PathsWithMethod,
  RequiredKeysOf,
  ResponseObjectMap,
  SuccessResponse,
} from 'openapi-typescript-helpers';
import type { components, paths } from './generated/api.js';

export type { components, operations, paths } from './generated/api.js';

/** A named schema of the API: `Schema<'CreatedSpark'>`. */
export type Schema<N extends keyof components['schemas']> = components['schemas'][N];

/** `meta` of a success. */
export type Meta = Schema<'Meta'>;

/** Settings of a single call, in place of those of the client. */
export interface CallSettings {
  readonly signal?: AbortSignal;
  /** A Vault Access Token, in place of the client's. */
  readonly vat?: string;
  /** A key of your own, so that a repetition by another process counts as the same call; `false` sends none. */
  readonly idempotencyKey?: string | false;
  /** Repeats the call after lost responses; for calls of which the caller knows that a repetition is harmless. */
  readonly isRepeatable?: boolean;
  /** Another origin, for links. Credentials are sent to the client's own origin only. */
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The paths that have a method. */
export type PathOf<M extends HttpMethod> = PathsWithMethod<paths, M>;
/** The operation of a method and path. */
export type OperationOf<M extends HttpMethod, P extends PathOf<M>> = FilterKeys<paths[P], M>;
/** `params` and `body` of a call, and its settings. */
export type CallOptions<M extends HttpMethod, P extends PathOf<M>> = ParamsOption<OperationOf<M, P>> &
  RequestBodyOption<OperationOf<M, P>> &
  CallSettings;
/** The options, which may be omitted where nothing is required. */
export type OptionsArgument<O> = RequiredKeysOf<O> extends never ? [options?: O] : [options: O];

type BodyOf<O> = O extends Record<string | number, unknown> ? SuccessResponse<ResponseObjectMap<O>> : never;
type DataIn<B> = B extends { data: infer D; meta: Meta } ? D : B;
/** The content of a success: `data` of the envelope; the body where there is none; undefined for 204. */
export type DataOf<M extends HttpMethod, P extends PathOf<M>> = [BodyOf<OperationOf<M, P>>] extends [never]
  ? undefined
  : DataIn<BodyOf<OperationOf<M, P>>>;

/** A successful call. */
export interface Answer<D> {
  readonly data: D;
  /** Quota, pools and request id; undefined without an envelope. */
  readonly meta: Meta | undefined;
  readonly response: Response;
}

/** A method of the client: it resolves with the answer, and rejects with an `ApiError` or a `ConnectionError`. */
export type Call<M extends HttpMethod> = <P extends PathOf<M>>(
  path: P,
  ...options: OptionsArgument<CallOptions<M, P>>
) => Promise<Answer<DataOf<M, P>>>;

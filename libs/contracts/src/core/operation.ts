import type { Access } from './access.js';
import type { AccountContext, CallContext, VaultContext, VisitContext } from './context.js';
import type { ErrorReason } from './errors.js';
import type { Provider } from './provider.js';
import type { ProviderContextOf } from './provider-context.js';
import type { Class } from './schema.js';

/** Methods of the public API. HEAD and OPTIONS reach no handler and are never declared (OPEN-55). */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Default of `bodyBytesMax`: 2 MiB (OPEN-06). */
export const BODY_BYTES_MAX = 2 * 1_048_576;

/** The route of a public operation. */
export interface HttpBinding {
  readonly method: HttpMethod;
  /** Absolute path with `{name}` for each path parameter: `/v1/sparks/{spark_id}`. */
  readonly path: `/v1/${string}` | `/.well-known/${string}` | `/{link_code}/${string}`;
  /** Served on the origins of link pages instead of the origin of the API (OPEN-22). */
  readonly surface?: 'links';
  /** Other paths of the same operation, with the same parameters. */
  readonly aliases?: readonly HttpBinding['path'][];
  /** Status of success. 204 has no body (ENV-42). */
  readonly status: 200 | 201 | 202 | 204;
}

/**
 * How a request with an `Idempotency-Key` that was carried out before is answered (OPEN-67): by the stored reply, or, where
 * that held one of `secrets`, by 409 with the `id` of what it created.
 */
export interface Idempotency {
  /** The reply field that names the created resource. */
  readonly id?: string;
  /** Reply fields that are never stored, so that they cannot be repeated. */
  readonly secrets?: readonly string[];
  /**
   * The handler commits its intent before it calls a provider, and finds its effect again when it is called again: it runs in
   * transactions of its own. The key is reserved before it and answered with its reply afterwards.
   */
  readonly ownTransactions?: true;
}

const GATEWAY = ['gateway'];

interface Common {
  /** `service.verb-noun`; the NATS subject is `rpc.` + name. */
  readonly name: `${string}.${string}`;
  /** One or two sentences for the API reference. */
  readonly summary: string;
  readonly body?: Class<object>;
  /** The reply's `data`. Undeclared fields are removed. Absent: no content. */
  readonly reply?: Class<object>;
  /** Reasons besides the common ones. Any other becomes INTERNAL_ERROR and is logged with its cause. */
  readonly errors?: readonly ErrorReason[];
  /** Idempotent, so a call is retried once if no instance answered. Never for operations that burn, create or consume. */
  readonly repeatable?: boolean;
  /**
   * In a service with shards: the member of the input whose id or code carries the shard that answers (ADR 61), or `EVERY_SHARD`. Without
   * it the account in the body decides, then that of the credential.
   */
  readonly shardBy?: string;
}

/** An endpoint of the public API. */
export interface PublicSpec extends Common {
  readonly http: HttpBinding;
  readonly access: Access;
  readonly params?: Class<object>;
  /** The reply to a malformed path parameter: that of an unknown one, or 204. Default: NOT_FOUND. */
  readonly unknown?: ErrorReason | 'no-content';
  readonly query?: Class<object>;
  /** Mail programs and the like append parameters to its URL, so that none is refused as a misspelling (AMB-51). */
  readonly isQueryOpen?: true;
  /** Largest body in bytes; above it 413. Default: BODY_BYTES_MAX (OPEN-06). */
  readonly bodyBytesMax?: number;
  /** Most structural characters of the body, see `assertStructure`; above it 400. Default: 8,192. */
  readonly structuralCharactersMax?: number;
  /** Draws storage or bandwidth: the reply has `meta.pools`, the context has `pools` (OPEN-03). */
  readonly billable?: boolean;
  /**
   * The reply field with the next position. The gateway signs it and verifies `query.cursor` (OPEN-51); the answer has it as
   * `next_cursor`, too (AMB-03).
   */
  readonly cursor?: 'next_cursor' | 'cursor';
  /**
   * Opens, renews or ends a session. For browsers the gateway moves `refresh_token` of body and reply to and from the cookie
   * `__Host-vk_refresh`; handlers are not affected (AUTH-28, AMB-45).
   */
  readonly session?: 'opens' | 'renews' | 'ends';
  /** The reply is the whole body, without the envelope, for documents that a standard defines. */
  readonly bare?: true;
  /**
   * The reply is a stream of JSON Lines, or of CSV: the gateway calls this internal operation with the query and the caller's
   * `account_id`, and again with `position`, the `next` of its reply, until that is null. Its reply has `lines` and `next`.
   */
  readonly parts?: PartOperation;
  /** `Cache-Control: max-age` in seconds; absent: `no-store`. */
  readonly maxAgeSeconds?: number;
  /** Accepts `Idempotency-Key`. `by-handler`: the handler itself recognizes repetitions. */
  readonly idempotent?: Idempotency | 'by-handler';
  /** Services besides the gateway that call it for an account whose installation or request they have verified (APP-25). */
  readonly callers?: readonly string[];
}

/** An operation between services; it has no route. */
export interface InternalSpec extends Common {
  readonly access: 'internal';
  /** The services that may call it; calls of others are refused. */
  readonly callers: readonly string[];
}

export type OperationSpec = PublicSpec | InternalSpec;

/** A declared operation. */
export type Operation<S extends OperationSpec = OperationSpec> = S & {
  /** The service whose handler answers. */
  readonly service: string;
  /** The NATS subject: `rpc.` + name. */
  readonly subject: string;
};

export type PublicOperation = Operation<PublicSpec>;
/** A part of a streamed reply. */
export interface StreamPart {
  /** Whole lines, each with its newline. */
  readonly lines: string;
  /** The position of the next part; null after the last one. */
  readonly next: string | null;
  /** Of the lines; absent: JSON Lines. */
  readonly format?: 'jsonl' | 'csv';
}
/** Reads the next part of a streamed reply. */
type PartOperation = Operation<
  InternalSpec & { readonly body: Class<object>; readonly reply: Class<StreamPart> }
>;

/**
 * Declares an operation: the one source of its route, access rule, validation, messages and reference entry.
 * @throws Error if the name is not `service.verb-noun`
 */
export function operation<const S extends OperationSpec>(spec: S): Operation<S> {
  const [service, verb, ...rest] = spec.name.split('.');
  if (!service || !verb || rest.length > 0)
    throw new Error(`operation name must be service.verb: ${spec.name}`);
  const declared = Object.assign({}, spec, { service, subject: `rpc.${spec.name}` });
  Object.freeze(declared);
  return declared;
}

/** Whether an operation has a route. */
export function isPublic(op: Operation): op is PublicOperation {
  return op.access !== 'internal';
}

/** The provider that calls an operation; undefined for other operations. */
export function providerOf(op: Operation): Provider | undefined {
  return isPublic(op) ? op.access.provider : undefined;
}

/** Whether the transaction of an operation remembers requests with an `Idempotency-Key`. */
export function isIdempotent(op: Operation): op is PublicOperation {
  return isPublic(op) && typeof op.idempotent === 'object';
}

/** The services that may call an operation: with a route also the gateway. */
export function callersOf(op: Operation): readonly string[] {
  return isPublic(op) ? [...GATEWAY, ...(op.callers ?? [])] : op.callers;
}

type InstanceOf<S, K extends string> = S extends { readonly [P in K]: Class<infer T> } ? T : undefined;

/** The input of a handler; each part is validated against its class. */
export interface Input<S extends OperationSpec = OperationSpec> {
  readonly params: InstanceOf<S, 'params'>;
  readonly query: InstanceOf<S, 'query'>;
  readonly body: InstanceOf<S, 'body'>;
}

/** The input of a call: the parts that the operation declares. */
export type CallInput<S extends OperationSpec> = {
  readonly [
    K in 'params' | 'query' | 'body' as S extends { readonly [P in K]: Class } ? K : never
  ]: InstanceOf<S, K>;
};

/** The result of a handler; void if the operation declares no reply. */
export type Reply<S extends OperationSpec = OperationSpec> = S extends { readonly reply: Class<infer T> }
  ? T
  : void;

/**
 * The context of a handler: with an account on account routes, with an unsealed vault on those with `vat`, with what was
 * verified on those of providers. With `vatOf` the vault is there only if the body names one.
 */
export type ContextOf<S extends OperationSpec> = S extends { readonly http: { readonly surface: 'links' } }
  ? VisitContext
  : S extends { readonly access: { readonly vatOf: string } }
    ? AccountContext
    : S extends {
          readonly access: { readonly vat: 'read' | 'write' };
        }
      ? VaultContext
      : S extends { readonly access: infer A extends { readonly provider: Provider } }
        ? ProviderContextOf<A>
        : S extends { readonly access: { readonly credential: 'key' | 'session' } }
          ? AccountContext
          : CallContext;

/** The handler of an operation. Without an envelope, undefined is a response without a body. */
export type Handler<S extends OperationSpec> = (
  input: Input<S>,
  context: ContextOf<S>,
) => Promise<S extends { readonly bare: true } ? Reply<S> | undefined : Reply<S>>;

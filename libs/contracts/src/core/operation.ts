import type { AccountContext, CallContext, VaultContext, VisitContext } from './context.js';
import type { ErrorReason } from './errors.js';
import type { Class } from './schema.js';

/** Methods of the public API. HEAD and OPTIONS are never declared: they reach no handler (OPEN-55). */
export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface HttpBinding {
  readonly method: HttpMethod;
  /** Absolute, with `{name}` for each path parameter: `/v1/sparks/{spark_id}`. */
  readonly path: `/v1/${string}` | `/.well-known/${string}` | `/{link_code}/${string}`;
  /** Served on the origins of link pages, and not on that of the API (OPEN-22). */
  readonly surface?: 'links';
  /** Other paths of the same operation, with the same parameters. */
  readonly aliases?: readonly HttpBinding['path'][];
  /** Status of success; 204 answers have no body (ENV-42). */
  readonly status: 200 | 201 | 202 | 204;
}

/**
 * Who may call. `key`: API key or full session (ENV-38). `session`: full session only. `identity-only`: a
 * session that has not completed its sign-up. `provider`: the operation verifies the sender itself, from the
 * raw body. `none`: anyone, under the per-address limiter (OPEN-10). `optional`: anyone, and whoever presents a full
 * session is known by it (OPEN-25); what is presented and not valid is refused.
 */
export interface Access {
  readonly credential: 'none' | 'optional' | 'key' | 'session' | 'identity-only' | 'provider';
  /** `admin` is satisfied by admins, owners and API keys (AMB-17). */
  readonly role?: 'admin';
  /** The operation also needs a Vault Access Token of this level for `{vault_id}` (OPEN-61). */
  readonly vat?: 'read' | 'write';
  /** What a missing token answers; AUTHENTICATION_ERROR unless said (AMB-10). */
  readonly vatMissing?: 'VALIDATION_ERROR';
}

interface Common {
  /** `service.verb-noun`; the NATS subject is `rpc.` + name. */
  readonly name: `${string}.${string}`;
  /** One or two sentences for the API reference. */
  readonly summary: string;
  readonly body?: Class<object>;
  /** The answer's `data`. Fields that the class does not declare never leave. Absent: no content. */
  readonly reply?: Class<object>;
  /** Reasons beyond the common ones. Any other becomes INTERNAL_ERROR and is logged with its cause. */
  readonly errors?: readonly ErrorReason[];
  /** Safe to repeat once when no service copy answered. Never for what burns, creates or consumes. */
  readonly repeatable?: boolean;
}

/** An endpoint of the public API. */
export interface PublicSpec extends Common {
  readonly http: HttpBinding;
  readonly access: Access;
  readonly params?: Class<object>;
  /** What a malformed path parameter answers: the same as an unknown one, or success where that is the rule. */
  readonly unknown?: ErrorReason | 'no-content';
  readonly query?: Class<object>;
  /** Bytes of the body; over it 413. Default 2 MiB (OPEN-06). */
  readonly bodyBytesMax?: number;
  /** Draws storage or bandwidth: `meta.pools` is shown and the plan travels in the context (OPEN-03). */
  readonly billable?: boolean;
  /** The reply field that holds the next position; the gateway signs it and opens `query.cursor` (OPEN-51). */
  readonly cursor?: 'next_cursor' | 'cursor';
  /**
   * Opens, renews or ends a session. `refresh_token` of body and reply is then the gateway's to move: for browsers it
   * lives in the cookie `__Host-vk_refresh` alone, and the handler never knows the difference (AUTH-28, AMB-45).
   */
  readonly session?: 'opens' | 'renews' | 'ends';
  /** The reply is the whole body, without the envelope: for documents whose shape a standard fixes. */
  readonly bare?: true;
  /** Seconds that anyone may keep the answer (`Cache-Control: max-age`); absent: `no-store`. */
  readonly maxAgeSeconds?: number;
}

/** An operation between services; it has no route. */
export interface InternalSpec extends Common {
  readonly access: 'internal';
}

export type OperationSpec = PublicSpec | InternalSpec;

export type Operation<S extends OperationSpec = OperationSpec> = S & {
  /** The service that answers. */
  readonly service: string;
  readonly subject: string;
};

export type PublicOperation = Operation<PublicSpec>;

/**
 * Declares an operation: the one definition that the route, the access rule, the validation, the message
 * and the reference are read from.
 */
export function operation<const S extends OperationSpec>(spec: S): Operation<S> {
  const [service, verb, ...rest] = spec.name.split('.');
  if (!service || !verb || rest.length > 0)
    throw new Error(`operation name must be service.verb: ${spec.name}`);
  const declared = Object.assign({}, spec, { service, subject: `rpc.${spec.name}` });
  Object.freeze(declared);
  return declared;
}

export function isPublic(op: Operation): op is PublicOperation {
  return op.access !== 'internal';
}

type InstanceOf<S, K extends string> = S extends { readonly [P in K]: Class<infer T> } ? T : undefined;

/** What a handler receives: each part validated against its class. */
export interface Input<S extends OperationSpec = OperationSpec> {
  readonly params: InstanceOf<S, 'params'>;
  readonly query: InstanceOf<S, 'query'>;
  readonly body: InstanceOf<S, 'body'>;
}

/** What a caller must give: parts that the operation does not declare are left out. */
export type CallInput<S extends OperationSpec> = {
  readonly [
    K in 'params' | 'query' | 'body' as S extends { readonly [P in K]: Class } ? K : never
  ]: InstanceOf<S, K>;
};

/** What a handler returns; nothing where the contract declares no reply. */
export type Reply<S extends OperationSpec = OperationSpec> = S extends { readonly reply: Class<infer T> }
  ? T
  : void;

/** Account routes give their handler an account, those with `vat` an open vault too; the others a bare context. */
export type ContextOf<S extends OperationSpec> = S extends { readonly http: { readonly surface: 'links' } }
  ? VisitContext
  : S extends {
        readonly access: { readonly vat: 'read' | 'write' };
      }
    ? VaultContext
    : S extends { readonly access: { readonly credential: 'key' | 'session' } }
      ? AccountContext
      : CallContext;

export type Handler<S extends OperationSpec> = (input: Input<S>, context: ContextOf<S>) => Promise<Reply<S>>;

import { Injectable } from '@nestjs/common';
import {
  AppError,
  assertSpelling,
  serviceContext,
  undeclaredNames,
  vaultOfCall,
  type CallContext,
  type Credential,
  type PublicOperation,
  type StreamPart,
  type VaultAccess,
} from '@vaultsvc/contracts';
import { readDeployment, readHealth } from '@vaultsvc/contracts/gateway';
import type { CredentialRecord } from '@vaultsvc/limits';
import { Bus } from '@vaultsvc/messaging';
import { assertAccess } from '../access/assert-access.js';
import { RequestAuthenticator } from '../access/request-authenticator.js';
import { GatewayConfig } from '../config.js';
import type { Route } from './router.js';
import type { Exchange } from '../exchange/exchange.js';
import { BodyBudget, type BodyReservation } from './body-budget.js';
import { CursorSigner } from './cursor-signer.js';
import { readIdempotencyKey } from '../exchange/idempotency-key.js';
import { poolAvailabilityOf, PoolSnapshotLoader } from './pool-snapshot-loader.js';
import { PublicConfigReader } from './public-config-reader.js';
import { moveTokenToCookie, RefreshTokenDelivery, withRefreshToken } from './refresh-token-delivery.js';
import {
  assertBody,
  EmptySuccess,
  isVatBeforeBody,
  parseQuery,
  readParams,
  readQuery,
  receiveBody,
  signedRequestOf,
  type Body,
} from './request-input.js';
import { VaultAccessResolver } from './vault-access-resolver.js';

const HEALTHY = Buffer.from('{"status":"ok"}');
const EMPTY_REPLY = new Uint8Array(0);

/** The stages of a call, from its route to the reply of its service. Their order is the order of errors (AMB-13). */
@Injectable()
export class OperationPipeline {
  constructor(
    private readonly authenticator: RequestAuthenticator,
    private readonly refreshTokens: RefreshTokenDelivery,
    private readonly poolSnapshots: PoolSnapshotLoader,
    private readonly bodies: BodyBudget,
    private readonly vaultAccess: VaultAccessResolver,
    private readonly cursors: CursorSigner,
    private readonly publicConfig: PublicConfigReader,
    private readonly bus: Bus,
    private readonly config: GatewayConfig,
  ) {}

  /** The bytes of the reply. Rejects with the error for the caller. */
  async run(exchange: Exchange, route: Route, query: string): Promise<Uint8Array> {
    const { operation } = route;
    exchange.operation = operation;
    if (operation === readHealth) return HEALTHY;
    await this.#authenticate(exchange, operation);
    if (operation === readDeployment)
      return Buffer.from(JSON.stringify(await this.publicConfig.read(exchange.requestId)));
    const body = this.bodies.reserve(exchange.record?.accountId ?? null, exchange.caller.ip);
    try {
      return await this.#receiveAndCall(exchange, route, query, body);
    } finally {
      body.release();
    }
  }

  /**
   * The lines of a streamed reply, in parts. The first one rejects with the error for the caller; an error of a later one ends
   * the stream.
   */
  async *stream(exchange: Exchange, route: Route, query: string): AsyncGenerator<StreamPart, void, void> {
    const { operation } = route;
    exchange.operation = operation;
    await this.#authenticate(exchange, operation);
    await this.#authorize(exchange, route);
    const parameters = parseQuery(operation, query);
    assertNames(exchange, operation, parameters);
    const given = readQuery(operation, parameters);
    let position: string | undefined;
    do {
      const part = await this.#readPart(exchange, operation, { ...given, position });
      yield part;
      position = part.next ?? undefined;
    } while (position !== undefined);
  }

  #readPart(exchange: Exchange, { parts }: PublicOperation, query: object): Promise<StreamPart> {
    if (!parts) throw new Error('the operation has no parts');
    const body = { ...query, account_id: exchange.record?.accountId };
    return this.bus.call(
      parts,
      { body },
      serviceContext({ requestId: exchange.requestId, deadlineMs: this.#deadlineMs() }),
    );
  }

  async #receiveAndCall(
    exchange: Exchange,
    route: Route,
    query: string,
    reservation: BodyReservation,
  ): Promise<Uint8Array> {
    const { operation } = route;
    const { request, response } = exchange;
    const early = isVatBeforeBody(operation) ? await this.#authorize(exchange, route) : undefined;
    // A body may arrive for as long as its request may last; the vault may be sealed meanwhile.
    const isStillValid = early !== undefined && request.complete;
    const body = await receiveBody(operation, request, response, reservation);
    const vault = isStillValid ? early : await this.#authorize(exchange, route, body);
    exchange.client = this.refreshTokens.clientOf(operation, request.headers);
    await this.#loadPoolSnapshot(exchange, operation);
    const idempotencyKey = readIdempotencyKey(operation, request.headers);
    const context = callContextOf(operation, exchange, this.#deadlineMs(), body.bytes.length);
    const callContext = {
      ...context,
      ...(vault && { vault }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
    };
    return this.#callService(exchange, route, parseQuery(operation, query), body, callContext);
  }

  /** 403, then the errors of the Vault Access Token. */
  async #authorize(
    exchange: Exchange,
    { operation, params }: Route,
    body?: Body,
  ): Promise<VaultAccess | undefined> {
    assertAccess(operation, exchange.record);
    const vaultId = vaultOfCall(operation, params, body?.value);
    if (vaultId === undefined) return undefined;
    const vat = exchange.request.headers['x-vault-access-token'];
    const context = callContextOf(operation, exchange, this.#deadlineMs(), 0);
    return this.vaultAccess.resolve(operation, vat, vaultId, context);
  }

  /** When the reply of a service that is called now comes too late. */
  #deadlineMs(): number {
    return Date.now() + this.config.CALL_TIMEOUT_MS;
  }

  /** 401, then 429. */
  async #authenticate(exchange: Exchange, operation: PublicOperation): Promise<void> {
    const { request, caller, requestId } = exchange;
    const { record, window, poolSnapshot } = await this.authenticator.authenticate(
      operation,
      request.headers,
      caller.ip,
      requestId,
    );
    Object.assign(exchange, { record, window, poolSnapshot });
  }

  async #loadPoolSnapshot(exchange: Exchange, { billable }: PublicOperation): Promise<void> {
    const accountId = exchange.record?.accountId;
    if (!billable || !accountId || hasCurrentSnapshot(exchange)) return;
    exchange.poolSnapshot = await this.poolSnapshots.load(accountId, exchange.requestId);
  }

  /** Names what is ignored, refuses misspelled names, validates query, body and path in this order, then sends one message to the service. */
  async #callService(
    exchange: Exchange,
    { operation: op, params: pathValues }: Route,
    given: URLSearchParams,
    body: Body,
    context: CallContext,
  ): Promise<Uint8Array> {
    assertNames(exchange, op, given, body.value);
    const query = readQuery(op, given);
    assertBody(op, body);
    const scope = cursorScopeOf(op.name, pathValues, context);
    if (query) this.cursors.open(op, scope, query, given);
    try {
      const params = readParams(op, pathValues);
      const bytes = withRefreshToken(op, context.client, body, exchange.request.headers.cookie);
      const answered = await this.bus.forward(op, { params, query }, bytes, context);
      exchange.isReplayed = answered.isReplayed;
      const { reply, setCookie } = moveTokenToCookie(op, context.client, answered.reply);
      exchange.setCookie = setCookie;
      return this.cursors.sign(op, scope, query, reply);
    } catch (error) {
      if (error instanceof EmptySuccess) return EMPTY_REPLY;
      if (isRefusedProvider(op, error)) await this.authenticator.countAnonymous(context.clientIp ?? '');
      throw error;
    }
  }
}

/** Collects the ignored names, and refuses the misspelled ones. */
function assertNames(
  exchange: Exchange,
  op: PublicOperation,
  parameters: URLSearchParams,
  body?: unknown,
): void {
  const names = undeclaredNames(op, parameters, body);
  exchange.ignoredNames = names.ignored;
  assertSpelling(names);
}

/** Whether the signature of a provider was refused: a request that is refused although it verifies has another reason. */
function isRefusedProvider({ access }: PublicOperation, error: unknown): boolean {
  const isUnauthorized = error instanceof AppError && error.reason === 'AUTHENTICATION_ERROR';
  return access.provider !== undefined && isUnauthorized;
}

/** A snapshot of an ended bandwidth cycle would refuse an account whose new cycle has started. */
function hasCurrentSnapshot({ poolSnapshot, window }: Exchange): boolean {
  return poolSnapshot !== null && poolSnapshot.bandwidth.cycle_resets_at > (window?.now ?? 0);
}

/**
 * The context of a call that has passed the access check.
 * @param requestBytes length of its body as sent
 */
function callContextOf(
  op: PublicOperation,
  { request, requestId, caller, record, poolSnapshot, client, visit }: Exchange,
  deadlineMs: number,
  requestBytes: number,
): CallContext {
  return {
    requestId,
    credential: credentialOf(op, record),
    clientIp: caller.ip,
    deadlineMs,
    ...(op.billable && { pools: poolAvailabilityOf(poolSnapshot), requestBytes }),
    ...(client && { client }),
    ...(visit && { visit }),
    ...(op.access.provider && { signedRequest: signedRequestOf(op.access.provider, request) }),
  };
}

function credentialOf({ access }: PublicOperation, record: CredentialRecord | null): Credential {
  if (record === null) return { kind: access.provider ? 'provider' : 'none' };
  // An API key is not a person, and an identity without an account has no user: both count as anonymous visitors.
  if (access.credential === 'optional' && record.kind !== 'session') return { kind: 'none' };
  const { kind, accountId, userId, credentialId, role, seat } = record;
  if (kind === 'identity') return { kind, identityId: userId ?? '', credentialId };
  if (accountId === null) throw new Error(`the record of a ${kind} has no account`);
  return { kind, accountId, userId, credentialId, role, seat };
}

function cursorScopeOf(routeId: string, pathValues: Route['params'], { credential }: CallContext) {
  const accountId = 'accountId' in credential ? credential.accountId : '';
  return { accountId, routeId, pathIds: Object.values(pathValues).map((value) => value ?? '') };
}

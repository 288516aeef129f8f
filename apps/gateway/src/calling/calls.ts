import { Injectable } from '@nestjs/common';
import type { PublicOperation } from '@vaultsvc/contracts';
import { readHealth } from '@vaultsvc/contracts/gateway';
import { assertAccess } from '../access/assert-access.js';
import { Door } from '../access/door.js';
import type { Route } from '../routing/router.js';
import type { Exchange } from '../server/exchange.js';
import { contextOf } from './context.js';
import { PoolSnapshotLoader } from './pool-snapshot-loader.js';
import { parseQuery, receiveBody } from './read-input.js';
import { ServiceCalls } from './service-calls.js';
import { SessionDelivery } from './session-delivery.js';
import { VaultGate } from './vault-gate.js';

const HEALTHY = Buffer.from('{"status":"ok"}');

/** The way of a call from its route to its reply. The order of the lines is the order of the errors (AMB-13). */
@Injectable()
export class Calls {
  constructor(
    private readonly door: Door,
    private readonly sessionDelivery: SessionDelivery,
    private readonly snapshotLoader: PoolSnapshotLoader,
    private readonly vaultGate: VaultGate,
    private readonly serviceCalls: ServiceCalls,
  ) {}

  /** The bytes of the reply, or an error for the caller. */
  async run(exchange: Exchange, route: Route, query: string): Promise<Uint8Array> {
    const { operation, params } = route;
    exchange.operation = operation;
    if (operation === readHealth) return HEALTHY;
    const { request, response } = exchange;
    await this.#enter(exchange, operation);
    const body = await receiveBody(operation, request, response);
    assertAccess(operation, exchange.record);
    exchange.client = this.sessionDelivery.clientOf(operation, request.headers);
    await this.#addPoolSnapshot(exchange, operation);
    const context = contextOf(operation, exchange, body.bytes.length);
    const vat = request.headers['x-vault-access-token'];
    const vault = await this.vaultGate.open(operation, vat, params['vault_id'], context);
    const call = vault ? { ...context, vault } : context;
    return this.serviceCalls.make(exchange, route, parseQuery(operation, query), body, call);
  }

  async #enter(exchange: Exchange, operation: PublicOperation): Promise<void> {
    const { request, caller, requestId } = exchange;
    const { record, window, poolSnapshot } = await this.door.enter(
      operation,
      request.headers,
      caller.ip,
      requestId,
    );
    Object.assign(exchange, { record, window, poolSnapshot });
  }

  async #addPoolSnapshot(exchange: Exchange, { billable }: PublicOperation): Promise<void> {
    const accountId = exchange.record?.accountId;
    if (!billable || !accountId || isCurrent(exchange)) return;
    exchange.poolSnapshot = await this.snapshotLoader.load(accountId, exchange.requestId);
  }
}

/** A snapshot of an ended bandwidth cycle would refuse an account whose new cycle has begun. */
function isCurrent({ poolSnapshot, window }: Exchange): boolean {
  return poolSnapshot !== null && poolSnapshot.bandwidth.cycle_resets_at > (window?.now ?? 0);
}

import { Inject, Injectable } from '@nestjs/common';
import type { CallContext, PublicOperation } from '@vaultsvc/contracts';
import { readHealth } from '@vaultsvc/contracts/gateway';
import { Bus } from '@vaultsvc/messaging';
import { assertAccess } from '../access/assert-access.js';
import { Door } from '../access/door.js';
import type { Route } from '../routing/router.js';
import type { Exchange } from '../server/exchange.js';
import { contextOf } from './context.js';
import { Cursors } from './cursors.js';
import { FundsLoader } from './funds.js';
import { assertBody, NothingToDo, readParams, readQuery, receiveBody, type Body } from './read-input.js';
import { VaultGate } from './vault-gate.js';

const HEALTHY = Buffer.from('{"status":"ok"}');
const NOTHING = new Uint8Array(0);

/** The way of a call from its route to its reply. The order of the lines is the order of the errors (AMB-13). */
@Injectable()
export class Calls {
  constructor(
    @Inject(Door) private readonly door: Door,
    @Inject(FundsLoader) private readonly fundsLoader: FundsLoader,
    @Inject(VaultGate) private readonly vaultGate: VaultGate,
    @Inject(Cursors) private readonly cursors: Cursors,
    @Inject(Bus) private readonly bus: Bus,
  ) {}

  /** The bytes of the reply, or an error for the caller. */
  async run(exchange: Exchange, { operation, params }: Route, query: string): Promise<Uint8Array> {
    exchange.operation = operation;
    if (operation === readHealth) return HEALTHY;
    const { request, response } = exchange;
    await this.#enter(exchange, operation);
    const body = await receiveBody(operation, request, response);
    assertAccess(operation, exchange.record);
    await this.#addFunds(exchange, operation);
    const context = contextOf(operation, exchange);
    await this.vaultGate.pass(
      operation,
      request.headers['x-vault-access-token'],
      params['vault_id'],
      context,
    );
    return this.#call(operation, params, new URLSearchParams(query), body, context);
  }

  async #enter(exchange: Exchange, operation: PublicOperation): Promise<void> {
    const { request, caller, requestId } = exchange;
    const { record, window, funds } = await this.door.enter(operation, request.headers, caller.ip, requestId);
    Object.assign(exchange, { record, window, funds });
  }

  async #addFunds(exchange: Exchange, { billable }: PublicOperation): Promise<void> {
    const accountId = exchange.record?.accountId;
    if (!billable || !accountId || isCurrent(exchange)) return;
    exchange.funds = await this.fundsLoader.load(accountId, exchange.requestId);
  }

  async #call(
    op: PublicOperation,
    pathValues: Route['params'],
    given: URLSearchParams,
    body: Body,
    context: CallContext,
  ): Promise<Uint8Array> {
    const query = readQuery(op, given);
    assertBody(op, body);
    const scope = scopeOf(op, pathValues, context);
    if (query) this.cursors.open(op, scope, query, given);
    try {
      const params = readParams(op, pathValues);
      const reply = await this.bus.forward(op, { params, query }, body.bytes, context);
      return this.cursors.sign(op, scope, query, reply);
    } catch (error) {
      if (error instanceof NothingToDo) return NOTHING;
      throw error;
    }
  }
}

/** Funds that outlived their bandwidth cycle would refuse an account that has a new one. */
function isCurrent({ funds, window }: Exchange): boolean {
  return funds !== null && funds.bandwidth.cycle_resets_at > (window?.now ?? 0);
}

function scopeOf(op: PublicOperation, pathValues: Route['params'], { credential }: CallContext) {
  const accountId = 'accountId' in credential ? credential.accountId : '';
  return { accountId, routeId: op.name, pathIds: Object.values(pathValues).map((value) => value ?? '') };
}

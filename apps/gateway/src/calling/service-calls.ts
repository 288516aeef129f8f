import { Injectable } from '@nestjs/common';
import type { CallContext } from '@vaultsvc/contracts';
import { Bus } from '@vaultsvc/messaging';
import type { Route } from '../routing/router.js';
import type { Exchange } from '../server/exchange.js';
import { Cursors } from './cursors.js';
import { assertBody, NothingToDo, readParams, readQuery, type Body } from './read-input.js';
import { handOver, presentToken } from './session-delivery.js';

const NOTHING = new Uint8Array(0);

/** The last stage of a call: what was given must fit the contract, then one message goes to the service. */
@Injectable()
export class ServiceCalls {
  constructor(
    private readonly cursors: Cursors,
    private readonly bus: Bus,
  ) {}

  /** The bytes of the reply for the caller; a cookie that goes with them is left at the exchange. */
  async make(
    exchange: Exchange,
    { operation: op, params: pathValues }: Route,
    given: URLSearchParams,
    body: Body,
    context: CallContext,
  ): Promise<Uint8Array> {
    const query = readQuery(op, given);
    assertBody(op, body);
    const scope = scopeOf(op.name, pathValues, context);
    if (query) this.cursors.open(op, scope, query, given);
    try {
      const params = readParams(op, pathValues);
      const bytes = presentToken(op, context.client, body, exchange.request.headers.cookie);
      const answered = await this.bus.forward(op, { params, query }, bytes, context);
      const { reply, setCookie } = handOver(op, context.client, answered);
      exchange.setCookie = setCookie;
      return this.cursors.sign(op, scope, query, reply);
    } catch (error) {
      if (error instanceof NothingToDo) return NOTHING;
      throw error;
    }
  }
}

function scopeOf(routeId: string, pathValues: Route['params'], { credential }: CallContext) {
  const accountId = 'accountId' in credential ? credential.accountId : '';
  return { accountId, routeId, pathIds: Object.values(pathValues).map((value) => value ?? '') };
}

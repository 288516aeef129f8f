import { EVERY_SHARD, isSharded, type CallContext, type Operation } from '@vaultsvc/contracts';
import { shardOf } from '@vaultsvc/crypto/encoding';

/** The parts of a call's input. */
export interface ShardedInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
}

/**
 * Finds the shard that answers a call. A caller may have made up the id or code of a shard that does not exist: it is unknown, as the shard with
 * the lowest number answers.
 */
export class ShardRouter {
  readonly #existing: ReadonlySet<number>;
  readonly #first: number;

  /** @param existing the shards of accounts that there are */
  constructor(existing: readonly number[]) {
    this.#existing = new Set(existing);
    this.#first = Math.min(...existing);
  }

  /** Whether this shard may answer a call: one that another shard must answer finds nothing here, or stores what nothing finds. */
  isAnsweredBy(shard: number, op: Operation, input: ShardedInput, context: CallContext): boolean {
    return op.shardBy === EVERY_SHARD || this.shardOf(op, input, context) === shard;
  }

  shardOf(op: Operation, input: ShardedInput, { credential }: CallContext): number {
    if (!isSharded(op.service)) return 0;
    const named = op.shardBy === undefined ? undefined : memberOf(input, op.shardBy);
    const account = 'accountId' in credential ? credential.accountId : '';
    const shard = shardOf(named ?? textIn(input.body, 'account_id') ?? account);
    return this.#existing.has(shard) ? shard : this.#first;
  }
}

/** An event, of which the payload may name another account than that of the event: a read, that of the Spark. */
interface EventOfAccounts {
  readonly account_id: string | null;
  readonly payload: object;
}

/** The shards of a consumer that apply an event: those of the accounts that it concerns; the first one without any. */
export function shardsOfEvent(consumer: string, { account_id, payload }: EventOfAccounts): readonly number[] {
  if (!isSharded(consumer)) return [0];
  const accounts = [account_id, textIn(payload, 'account_id')].filter((id) => typeof id === 'string');
  return accounts.length === 0 ? [0] : [...new Set(accounts.map(shardOf))];
}

function memberOf({ params, query, body }: ShardedInput, name: string): string | undefined {
  return textIn(params, name) ?? textIn(query, name) ?? textIn(body, name);
}

function textIn(part: object | undefined, name: string): string | undefined {
  const value = (part as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

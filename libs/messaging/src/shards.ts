import { isSharded, type CallContext, type Operation } from '@vaultsvc/contracts';
import { shardOf } from '@vaultsvc/crypto/encoding';

// A service with shards has a database for each of them, and instances that serve it (ADR 61). Subjects of the first shard are those of
// a service without shards.

/** The parts of a call's input. */
export interface ShardedInput {
  readonly params?: object;
  readonly query?: object;
  readonly body?: object;
}

/** The shard that answers a call. */
export function shardOfCall(op: Operation, input: ShardedInput, { credential }: CallContext): number {
  if (!isSharded(op.service)) return 0;
  const named = op.shardBy === undefined ? undefined : memberOf(input, op.shardBy);
  const account = 'accountId' in credential ? credential.accountId : '';
  return shardOf(named ?? textIn(input.body, 'account_id') ?? account);
}

/** The shard of a consumer that applies an event of an account. */
export function shardOfEvent(consumer: string, accountId: string | null): number {
  return isSharded(consumer) && accountId !== null ? shardOf(accountId) : 0;
}

/** Those who answer a call: the instances of a service, or of one shard of it. The name is a token of a subject. */
export function answererOf(service: string, shard: number): string {
  return shard === 0 ? service : `${service}@${shard}`;
}

/** The parts of the name of an answerer. */
export function readAnswerer(answerer: string): { service: string; shard: number } {
  const [service = '', shard = '0'] = answerer.split('@');
  return { service, shard: Number(shard) };
}

/** A subject of one shard. */
export function shardSubject(subject: string, shard: number): string {
  return shard === 0 ? subject : `${subject}.s${shard}`;
}

/** The name of the durable consumer with which a shard of a service receives the events of another service. */
export function durableName(service: string, source: string, shard: number): string {
  return shard === 0 ? `${service}-${source}` : `${service}-${source}-s${shard}`;
}

function memberOf({ params, query, body }: ShardedInput, name: string): string | undefined {
  return textIn(params, name) ?? textIn(query, name) ?? textIn(body, name);
}

function textIn(part: object | undefined, name: string): string | undefined {
  const value = (part as Record<string, unknown> | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

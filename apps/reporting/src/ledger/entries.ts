import type { Delivery, Event } from '@vaultsvc/contracts';
import {
  sparkCreated,
  sparkDeleted,
  sparkExpired,
  sparkRead,
  type SparkAction,
  type SparkFact,
} from '@vaultsvc/contracts/sparks';
import type { Entry } from './entry.js';

/** What an event's name does not tell of an entry: the rest comes with the delivery. */
type Line = Omit<Entry, 'eventId' | 'occurredAtMs'>;

type Rule = readonly [name: string, lines: (payload: never) => Line[]];

function rule<P extends object>(event: Event<P>, lines: (payload: P) => Line[]): Rule {
  return [event.name, lines];
}

/** Which lines of the ledger each event writes (OPEN-58). */
const rules: ReadonlyMap<string, Rule[1]> = new Map<string, Rule[1]>([
  rule(sparkCreated, (spark) => [
    { ...line('spark_create', spark), resource: 'storage' },
    { ...line('spark_create', spark), resource: 'bandwidth' },
  ]),
  rule(sparkRead, (spark) => [
    { ...line('spark_read', spark), resource: 'storage', quantity: -spark.size_bytes },
    { ...line('spark_read', spark), resource: 'bandwidth', accountId: spark.reader_account_id },
  ]),
  rule(sparkDeleted, (spark) => [
    { ...line('spark_delete', spark), resource: 'storage', quantity: -spark.size_bytes },
  ]),
  rule(sparkExpired, (spark) => [
    { ...line('spark_expire', spark), resource: 'storage', quantity: -spark.size_bytes },
  ]),
]);

/** The ledger's lines for one event. */
export function entriesOf({ id, name, occurredAtMs, payload }: Delivery): Entry[] {
  const lines = rules.get(name);
  if (!lines) throw new Error(`no rule says what ${name} writes into the ledger`);
  return lines(payload as never).map((entry) => ({ ...entry, eventId: id, occurredAtMs }));
}

function line(type: string, spark: SparkFact | SparkAction): Omit<Line, 'resource'> {
  return {
    accountId: spark.account_id,
    type,
    quantity: spark.size_bytes,
    referenceId: spark.spark_id,
    vaultId: null,
    actorType: actorType(spark),
  };
}

/** A full session acts for a user; what no caller did, the platform did. */
function actorType(spark: SparkFact | SparkAction): string {
  if (!('actor_type' in spark)) return 'system';
  return spark.actor_type === 'session' ? 'user' : 'api_key';
}

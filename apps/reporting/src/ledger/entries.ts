import type { Delivery, Event } from '@vaultsvc/contracts';
import { bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import {
  sparkCreated,
  sparkDeleted,
  sparkExpired,
  sparkRead,
  type SparkAction,
  type SparkFact,
  type SparkReading,
} from '@vaultsvc/contracts/sparks';
import {
  versionActivated,
  versionDropped,
  versionOpened,
  versionReleased,
  type VersionRef,
} from '@vaultsvc/contracts/vaults';
import type { Entry, Resource } from './entry.js';

/** What an event's name does not tell of an entry: the rest comes with the delivery. */
type Line = Omit<Entry, 'eventId' | 'occurredAtMs'>;

type Rule = readonly [name: string, lines: (payload: never) => Line[]];

function rule<P extends object>(event: Event<P>, lines: (payload: P) => Line[]): Rule {
  return [event.name, lines];
}

/** Which lines of the ledger each event writes (OPEN-58). */
const rules: ReadonlyMap<string, Rule[1]> = new Map<string, Rule[1]>([
  rule(sparkCreated, (spark) => [
    { ...sparkLine('spark_create', spark), resource: 'storage' },
    { ...sparkLine('spark_create', spark), resource: 'bandwidth' },
  ]),
  rule(sparkRead, (spark) => [
    { ...sparkLine('spark_read', spark), resource: 'storage', quantity: -spark.size_bytes },
    { ...sparkLine('spark_read', spark), resource: 'bandwidth', accountId: spark.reader_account_id },
  ]),
  rule(sparkDeleted, (spark) => [
    { ...sparkLine('spark_delete', spark), resource: 'storage', quantity: -spark.size_bytes },
  ]),
  rule(sparkExpired, (spark) => [
    { ...sparkLine('spark_expire', spark), resource: 'storage', quantity: -spark.size_bytes },
  ]),

  // An ingot's upload is two lines of two events: its bytes have moved, and they are stored once they are its content.
  rule(uploadFinalized, (upload) => moved('ingot_upload', upload, upload.size_bytes)),
  rule(uploadEnded, (upload) => moved('ingot_upload_partial', upload, upload.received_bytes)),
  rule(bytesSent, (sending) => moved('ingot_download', sending, sending.bytes)),
  rule(versionActivated, (version) => stored('ingot_upload', version, version.size_bytes)),
  rule(versionReleased, (version) =>
    stored(version.reason === 'replaced' ? 'ingot_replace' : 'ingot_delete', version, -version.size_bytes),
  ),
  rule(versionOpened, () => []),
  rule(versionDropped, () => []),
]);

/** The ledger's lines for one event. */
export function entriesOf({ id, name, occurredAtMs, payload }: Delivery): Entry[] {
  const lines = rules.get(name);
  if (!lines) throw new Error(`no rule says what ${name} writes into the ledger`);
  return lines(payload as never).map((entry) => ({ ...entry, eventId: id, occurredAtMs }));
}

function sparkLine(type: string, spark: SparkFact | SparkAction | SparkReading): Omit<Line, 'resource'> {
  return {
    accountId: spark.account_id,
    type,
    quantity: spark.size_bytes,
    referenceId: spark.spark_id,
    vaultId: null,
    actorType: actorType(spark),
  };
}

/** A full session acts for a user, a link for whoever opened it; what no caller did, the platform did. */
function actorType(spark: SparkFact | SparkAction | SparkReading): string {
  if (!('actor_type' in spark)) return 'system';
  return spark.actor_type === 'session' ? 'user' : spark.actor_type;
}

/** A transfer that moved nothing leaves no line. */
function moved(type: string, version: VersionRef, bytes: number): Line[] {
  return bytes > 0 ? [ingotLine(type, version, 'bandwidth', bytes)] : [];
}

function stored(type: string, version: VersionRef, bytes: number): Line[] {
  return [ingotLine(type, version, 'storage', bytes)];
}

function ingotLine(type: string, version: VersionRef, resource: Resource, quantity: number): Line {
  return {
    accountId: version.account_id,
    type,
    resource,
    quantity,
    referenceId: version.ingot_id,
    vaultId: version.vault_id,
    actorType: 'system',
  };
}

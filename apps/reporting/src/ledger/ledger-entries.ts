import type { Delivery, Event } from '@vaultsvc/contracts';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import {
  entropyGenerated,
  sparkCreated,
  sparkDeleted,
  sparkExpired,
  sparkRead,
  type EntropyGeneration,
  type SparkAction,
  type SparkEvent,
  type SparkReading,
} from '@vaultsvc/contracts/sparks';
import {
  structuredCreated,
  structuredDeleted,
  structuredOverwritten,
  structuredRemoved,
  structuredUpdated,
  versionActivated,
  versionReleased,
  type StructuredDeletion,
  type StructuredRemoval,
  type StructuredWrite,
  type VersionRef,
} from '@vaultsvc/contracts/vaults';
import type { Entry } from './ledger.repository.js';

type Resource = 'storage' | 'bandwidth';

/** The use of one resource of an account by an event. */
interface Line extends Pick<Entry, 'accountId' | 'type' | 'referenceId' | 'vaultId' | 'actorType'> {
  readonly resource: Resource;
  readonly quantity: number;
}

type Rule = readonly [name: string, lines: (payload: never) => Line[]];

function rule<P extends object>(event: Event<P>, lines: (payload: P) => Line[]): Rule {
  return [event.name, lines];
}

/** The storage and bandwidth that each event uses (OPEN-58). */
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

  // An upload writes two entries, of two events: its bytes were transferred, and the version became the content.
  rule(uploadFinalized, (upload) => transferred('ingot_upload', upload, upload.size_bytes)),
  rule(uploadEnded, (upload) => transferred('ingot_upload_partial', upload, upload.received_bytes)),
  rule(bytesDiscarded, (chunk) => transferred('ingot_upload_partial', chunk, chunk.bytes)),
  rule(bytesSent, (sending) => transferred('ingot_download', sending, sending.bytes)),
  rule(versionActivated, (version) => stored('ingot_upload', version, version.size_bytes)),
  rule(versionReleased, (version) =>
    stored(version.reason === 'replaced' ? 'ingot_replace' : 'ingot_delete', version, -version.size_bytes),
  ),

  rule(structuredCreated, written),
  rule(structuredOverwritten, written),
  rule(structuredUpdated, written),
  rule(structuredDeleted, released),
  rule(structuredRemoved, released),

  rule(entropyGenerated, (entropy) => [generated(entropy)]),
]);

/** The ledger entries of one event, one for each account; none for an event that uses nothing. */
export function entriesOf({ id, name, occurredAtMs, payload }: Delivery): Entry[] {
  const lines = rules.get(name)?.(payload as never) ?? [];
  const accounts = new Set(lines.map(({ accountId }) => accountId));
  return [...accounts].map((account) => ({
    ...entryOf(lines.filter(({ accountId }) => accountId === account)),
    eventId: id,
    occurredAtMs,
  }));
}

/** Lines of one event and account differ in their resource only. */
function entryOf(lines: readonly Line[]): Omit<Entry, 'eventId' | 'occurredAtMs'> {
  const [{ accountId, type, referenceId, vaultId, actorType }] = lines as [Line];
  const quantityOf = (resource: Resource) =>
    lines.find((line) => line.resource === resource)?.quantity ?? null;
  return {
    accountId,
    type,
    storageBytes: quantityOf('storage'),
    bandwidthBytes: quantityOf('bandwidth'),
    referenceId,
    vaultId,
    actorType,
  };
}

function sparkLine(type: string, spark: SparkEvent | SparkAction | SparkReading): Omit<Line, 'resource'> {
  return {
    accountId: spark.account_id,
    type,
    quantity: spark.size_bytes,
    referenceId: spark.spark_id,
    vaultId: null,
    actorType: actorType(spark),
  };
}

/** No line for a transfer of 0 bytes. */
function transferred(type: string, version: VersionRef, bytes: number): Line[] {
  return ingotLines(type, version, 'bandwidth', bytes);
}

function stored(type: string, version: VersionRef, bytes: number): Line[] {
  return ingotLines(type, version, 'storage', bytes);
}

/** No line for 0 stored bytes, or for 0 written bytes. */
function written(write: StructuredWrite): Line[] {
  return [
    ...ingotLines('structured_write', write, 'storage', write.stored_bytes),
    ...ingotLines('structured_write', write, 'bandwidth', write.written_bytes),
  ];
}

function released(deletion: StructuredDeletion | StructuredRemoval): Line[] {
  return ingotLines('structured_delete', deletion, 'storage', -deletion.size_bytes);
}

/** Only the bytes are charged, not the call (ENT-20). */
function generated(entropy: EntropyGeneration): Line {
  return {
    accountId: entropy.account_id,
    type: 'entropy_generate',
    resource: 'bandwidth',
    quantity: entropy.bytes,
    referenceId: entropy.reference_id,
    vaultId: null,
    actorType: actorType(entropy),
  };
}

/** No line for a quantity of 0. */
function ingotLines(
  type: string,
  event: Pick<VersionRef, 'account_id' | 'ingot_id' | 'vault_id'>,
  resource: Resource,
  quantity: number,
): Line[] {
  if (quantity === 0) return [];
  return [
    {
      accountId: event.account_id,
      type,
      resource,
      quantity,
      referenceId: event.ingot_id,
      vaultId: event.vault_id,
      actorType: actorType(event),
    },
  ];
}

/** `user` for a session, `link` for a visitor; `system` for events without an actor. */
function actorType(event: object): string {
  const { actor_type: actor } = event as Partial<SparkReading>;
  return actor === 'session' ? 'user' : (actor ?? 'system');
}

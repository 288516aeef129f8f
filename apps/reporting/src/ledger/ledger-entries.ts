import type { Delivery, Event } from '@vaultsvc/contracts';
import { bytesDiscarded, bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import {
  entropyGenerated,
  sparkCreated,
  sparkDeleted,
  sparkExpired,
  sparklinkAccessed,
  sparklinkCreated,
  sparklinkDeleted,
  sparklinkRevoked,
  sparklinkUpdated,
  sparkRead,
  type SparkReading,
} from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import type { StructuredWrite, VersionRelease } from '@vaultsvc/contracts/vaults';
import type { Entry } from './ledger.repository.js';
import {
  entropyLine,
  ingotLines,
  linkOperation,
  sparkLine,
  vaultOperation,
  type Line,
} from './usage-lines.js';

type Rule = readonly [name: string, lines: (payload: never) => Line[]];

function rule<P extends object>(event: Event<P>, lines: (payload: P) => Line[]): Rule {
  return [event.name, lines];
}

/**
 * The use of an account by each event: storage and bandwidth (OPEN-58), or one operation for a call that uses no bytes. Types
 * are `<noun>_<verb>`. One call has one entry with an actor, so events that accompany another one of the same call have no
 * rule: the use of a DVAK is an unsealing, and a share is a link. Administration of the account is no usage.
 */
const rules: ReadonlyMap<string, Rule[1]> = new Map<string, Rule[1]>([
  rule(sparkCreated, (spark) => [
    sparkLine('spark_create', 'storage', spark),
    sparkLine('spark_create', 'bandwidth', spark),
  ]),
  rule(sparkRead, read),
  rule(sparkDeleted, (spark) => [sparkLine('spark_delete', 'storage', spark, -spark.size_bytes)]),
  rule(sparkExpired, (spark) => [sparkLine('spark_expire', 'storage', spark, -spark.size_bytes)]),

  rule(sparklinkCreated, (link) => [linkOperation('sparklink_create', link)]),
  rule(sparklinkUpdated, (link) => [linkOperation('sparklink_update', link)]),
  rule(sparklinkAccessed, (link) => [
    { ...linkOperation('sparklink_access', link), actorType: 'link', isOperation: true },
  ]),
  rule(sparklinkDeleted, (link) => [linkOperation('sparklink_delete', link)]),
  rule(sparklinkRevoked, (link) => [linkOperation('sparklink_revoke', link)]),

  rule(entropyGenerated, (entropy) => [entropyLine(entropy)]),

  rule(vaults.vaultCreated, (vault) => [vaultOperation('vault_create', vault, vault.vault_id)]),
  rule(vaults.vaultUpdated, (vault) => [vaultOperation('vault_update', vault, vault.vault_id)]),
  rule(vaults.vaultDeleted, (vault) => [vaultOperation('vault_delete', vault, vault.vault_id)]),
  rule(vaults.vaultUnsealed, (vault) => [vaultOperation('vault_unseal', vault, vault.vault_id)]),
  rule(vaults.vaultSealed, (vault) => [vaultOperation('vault_seal', vault, vault.vault_id)]),
  rule(vaults.dvakCreated, (dvak) => [vaultOperation('dvak_create', dvak, dvak.dvak_id)]),
  rule(vaults.dvakRevoked, (dvak) => [vaultOperation('dvak_revoke', dvak, dvak.dvak_id)]),
  rule(vaults.folderCreated, (folder) => [vaultOperation('folder_create', folder, folder.folder_id)]),
  rule(vaults.folderChanged, (folder) => [vaultOperation('folder_update', folder, folder.folder_id)]),
  rule(vaults.folderDeleted, (folder) => [vaultOperation('folder_delete', folder, folder.folder_id)]),

  // A call opens an upload or a download. Its bytes are of other entries, which the transfer and the version cause.
  rule(vaults.ingotCreated, (ingot) => ingotLines('ingot_create', 'operation', ingot, 1)),
  rule(vaults.ingotReplaced, (ingot) => ingotLines('ingot_replace', 'operation', ingot, 1)),
  rule(vaults.ingotUpdated, (ingot) => ingotLines('ingot_update', 'operation', ingot, 1)),
  rule(vaults.ingotDeleted, (ingot) => ingotLines('ingot_delete', 'operation', ingot, 1)),
  rule(vaults.ingotDownloaded, (ingot) => ingotLines('ingot_download', 'operation', ingot, 1)),
  rule(uploadFinalized, (upload) => ingotLines('ingot_upload', 'bandwidth', upload, upload.size_bytes)),
  rule(uploadEnded, (upload) =>
    ingotLines('ingot_upload_partial', 'bandwidth', upload, upload.received_bytes),
  ),
  rule(bytesDiscarded, (chunk) => ingotLines('ingot_upload_partial', 'bandwidth', chunk, chunk.bytes)),
  rule(bytesSent, (sending) => ingotLines('ingot_download', 'bandwidth', sending, sending.bytes)),
  rule(vaults.versionActivated, (version) =>
    ingotLines('ingot_upload', 'storage', version, version.size_bytes),
  ),
  rule(vaults.versionReleased, (version) =>
    ingotLines(releaseType(version), 'storage', version, -version.size_bytes),
  ),

  rule(vaults.structuredCreated, written),
  rule(vaults.structuredOverwritten, written),
  rule(vaults.structuredUpdated, written),
  rule(vaults.structuredDeleted, (ingot) =>
    ingotLines('structured_delete', 'storage', ingot, -ingot.size_bytes),
  ),
  rule(vaults.structuredRemoved, (ingot) =>
    ingotLines('structured_delete', 'storage', ingot, -ingot.size_bytes),
  ),
  rule(vaults.structuredRetrieved, (ingot) => ingotLines('structured_retrieve', 'operation', ingot, 1)),
]);

/** The ledger entries of one event, one for each account; none for an event that is no usage. */
export function entriesOf({ id, name, occurredAtMs, payload }: Delivery): Entry[] {
  const lines = rules.get(name)?.(payload as never) ?? [];
  const accounts = new Set(lines.map(({ accountId }) => accountId));
  const identity = { source: name.slice(0, name.indexOf('.')), eventId: id, occurredAtMs };
  return [...accounts].map((account) => ({
    ...entryOf(lines.filter(({ accountId }) => accountId === account)),
    ...identity,
  }));
}

/** Lines of one event and account differ in their resource only. */
function entryOf(lines: readonly Line[]): Omit<Entry, 'source' | 'eventId' | 'occurredAtMs'> {
  const [{ accountId, type, referenceId, vaultId, actorType }] = lines as [Line];
  const bytesOf = (resource: Line['resource']) =>
    lines.find((line) => line.resource === resource)?.quantity ?? null;
  return {
    accountId,
    type,
    storageBytes: bytesOf('storage'),
    bandwidthBytes: bytesOf('bandwidth'),
    referenceId,
    vaultId,
    actorType,
    isOperation: lines.some(({ isOperation }) => isOperation),
  };
}

/** The reader performs the operation, not the owner. A visitor's operation is the access of the link. */
function read(spark: SparkReading): Line[] {
  const released = sparkLine('spark_read', 'storage', spark, -spark.size_bytes);
  const received = sparkLine('spark_read', 'bandwidth', spark);
  return [
    { ...released, isOperation: false },
    { ...received, accountId: spark.reader_account_id, isOperation: spark.actor_type !== 'link' },
  ];
}

/** No line for 0 stored bytes, or for 0 written bytes. */
function written(write: StructuredWrite): Line[] {
  return [
    ...ingotLines('structured_write', 'storage', write, write.stored_bytes),
    ...ingotLines('structured_write', 'bandwidth', write, write.written_bytes),
  ];
}

function releaseType({ reason }: VersionRelease): string {
  return reason === 'replaced' ? 'ingot_replace' : 'ingot_delete';
}

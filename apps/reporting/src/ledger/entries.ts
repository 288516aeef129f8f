import type { Delivery, Event } from '@vaultsvc/contracts';
import { bytesSent, uploadEnded, uploadFinalized } from '@vaultsvc/contracts/forge';
import {
  entropyGenerated,
  sparkCreated,
  sparkDeleted,
  sparkExpired,
  sparkRead,
} from '@vaultsvc/contracts/sparks';
import {
  structuredCreated,
  structuredDeleted,
  structuredOverwritten,
  structuredRemoved,
  structuredUpdated,
  versionActivated,
  versionDropped,
  versionOpened,
  versionReleased,
} from '@vaultsvc/contracts/vaults';
import type { Entry } from './entry.js';
import { generated, moved, released, sparkLine, stored, written, type Line } from './lines.js';

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

  rule(structuredCreated, written),
  rule(structuredOverwritten, written),
  rule(structuredUpdated, written),
  rule(structuredDeleted, released),
  rule(structuredRemoved, released),

  rule(entropyGenerated, (entropy) => [generated(entropy)]),
]);

/** The ledger's lines for one event. */
export function entriesOf({ id, name, occurredAtMs, payload }: Delivery): Entry[] {
  const lines = rules.get(name);
  if (!lines) throw new Error(`no rule says what ${name} writes into the ledger`);
  return lines(payload as never).map((entry) => ({ ...entry, eventId: id, occurredAtMs }));
}

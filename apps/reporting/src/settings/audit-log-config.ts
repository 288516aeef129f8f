import { integer, key256, list, Setting, text, type Rule, type Secret } from '@vaultsvc/config';
import { ObjectsConfig } from '@vaultsvc/objects';

const keyName: Rule<string> = (value) =>
  /^[!-*,-~]+$/.test(value) ? undefined : 'must be printable ASCII without spaces and plus signs';

const oneOrMore: Rule<readonly unknown[]> = (keys) => (keys.length > 0 ? undefined : 'must have a key');

/** The settings of the transparency log and of the archive, whose files are in the object store. */
export class AuditLogConfig extends ObjectsConfig {
  @Setting(
    text,
    'Name of the transparency log in its checkpoints: the address of the API without https://, then /v1/audit-logs/log. It can never change.',
    keyName,
  )
  AUDIT_LOG_ORIGIN: string;

  @Setting(
    list(key256),
    'Ed25519 private keys (RFC 8032) that sign the checkpoints of the transparency log, each of them every checkpoint: two while the key changes (npm run provision).',
    oneOrMore,
  )
  AUDIT_LOG_KEYS: readonly Secret<Buffer>[];

  @Setting(
    integer({ min: 1, max: 86_400 }),
    'Seconds after which the heads of the audit log are published again: so long a change of the newest entries could go unnoticed.',
  )
  AUDIT_LOG_EVERY_SECONDS = 3_600;

  @Setting(
    integer({ min: 0, max: 3_153_600_000 }),
    'Seconds after which entries of the audit log move from PostgreSQL to the object store, where lists, exports and verification find them as before. 0: never.',
  )
  AUDIT_ARCHIVE_AFTER_SECONDS = 3_024_000;
}

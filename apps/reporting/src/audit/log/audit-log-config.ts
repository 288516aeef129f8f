import { key256, list, Setting, text, type Rule, type Secret } from '@vaultsvc/config';
import { ObjectsConfig } from '@vaultsvc/objects';

const keyName: Rule<string> = (value) =>
  /^[!-*,-~]+$/.test(value) ? undefined : 'must be printable ASCII without spaces and plus signs';

const oneOrMore: Rule<readonly unknown[]> = (keys) => (keys.length > 0 ? undefined : 'must have a key');

/** The settings of the transparency log, whose files are in the object store. */
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
}

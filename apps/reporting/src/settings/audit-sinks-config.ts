import { Setting } from '@vaultsvc/config';
import { AuditLogConfig } from './audit-log-config.js';
import { auditSinks, encryptedSinks, type SinkSettings } from './sink-settings.js';

/** The settings of the audit log. */
export class AuditSinksConfig extends AuditLogConfig {
  @Setting(
    auditSinks,
    'Sinks that receive all audit entries, as a JSON array with an object for each: see the sinks in deploy/README.md.',
    encryptedSinks,
  )
  AUDIT_SINKS: readonly SinkSettings[] = [];
}

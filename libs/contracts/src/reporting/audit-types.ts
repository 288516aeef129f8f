/**
 * The scopes in which each type of audit entry is listed (OPEN-28). `account`: GET /v1/audit-logs. `vault` and `ingot`: the
 * lists of one vault and of one ingot. Entries of integrations have types of their own and are listed in the scope of their
 * app alone (OPEN-65).
 */
const scopesByType = {
  account_updated: ['account'],
  settings_updated: ['account'],
  billing_subscription_changed: ['account'],
  billing_payment_method_added: ['account'],
  billing_payment_method_removed: ['account'],
  billing_invoice_paid: ['account'],
  api_key_created: ['account'],
  api_key_revoked: ['account'],
  person_invited: ['account'],
  person_invitation_resent: ['account'],
  person_joined: ['account'],
  person_updated: ['account'],
  person_role_changed: ['account'],
  person_removed: ['account'],
  session_opened: ['account'],
  session_ended: ['account'],
  session_replayed: ['account'],
  domain_claimed: ['account'],
  domain_released: ['account'],
  domain_lapsed: ['account'],
  app_installed: ['account'],
  app_updated: ['account'],
  app_uninstalled: ['account'],
  spark_created: ['account'],
  spark_read: ['account'],
  spark_deleted: ['account'],
  sparklink_created: ['account', 'ingot'],
  sparklink_updated: ['account', 'ingot'],
  sparklink_accessed: ['account', 'ingot'],
  sparklink_deleted: ['account', 'ingot'],
  sparklink_revoked: ['account', 'ingot'],
  sparklink_signed: ['account', 'ingot'],
  sparklink_approved: ['account', 'ingot'],
  sparklink_denied: ['account', 'ingot'],
  sparklink_replied: ['account', 'ingot'],
  notify_sent: ['account'],
  entropy_generated: ['account'],
  vault_created: ['account'],
  vault_updated: ['account', 'vault'],
  vault_unsealed: ['account', 'vault'],
  vault_sealed: ['account', 'vault'],
  vault_deleted: ['account'],
  dvak_created: ['vault'],
  dvak_revoked: ['vault'],
  dvak_used: ['vault'],
  folder_created: ['vault'],
  folder_updated: ['vault'],
  folder_deleted: ['vault'],
  ingot_created: ['vault', 'ingot'],
  ingot_replaced: ['vault', 'ingot'],
  ingot_updated: ['vault', 'ingot'],
  ingot_deleted: ['vault', 'ingot'],
  ingot_downloaded: ['vault', 'ingot'],
  ingot_retrieved: ['vault', 'ingot'],
  sharing_enabled: ['vault', 'ingot'],
  sharing_updated: ['vault', 'ingot'],
  sharing_disabled: ['vault', 'ingot'],
  // Entries of earlier releases have these types, under the hash: they stay listed.
  subscription_changed: ['account'],
  payment_method_added: ['account'],
  payment_method_removed: ['account'],
  user_invited: ['account'],
  user_joined: ['account'],
  user_updated: ['account'],
  user_removed: ['account'],
} as const satisfies Record<string, readonly AuditScope[]>;

export type AuditScope = 'account' | 'vault' | 'ingot';
/** The type of an entry that an event of the platform wrote. */
export type AuditType = keyof typeof scopesByType;

/** The types that are listed in a scope, in the order of the table. */
export function auditTypesOf(scope: AuditScope): readonly AuditType[] {
  const entries = Object.entries(scopesByType) as [AuditType, readonly AuditScope[]][];
  return entries.filter(([, scopes]) => scopes.includes(scope)).map(([type]) => type);
}

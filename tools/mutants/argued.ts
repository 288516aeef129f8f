import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';
import type { Site } from './site.ts';

/** A mutant that no test can notice, because it changes nothing that anybody can observe. */
export interface Argued {
  readonly path: string;
  /** The line of the source, without space around it. */
  readonly line: string;
  /** The text that stands in the place of a part of it. */
  readonly replacement: string;
  /** Why nobody can observe the difference. */
  readonly reason: string;
}

/** Whether somebody has argued that nobody can notice the mutant of a site. */
export function isArgued({ path, line, replacement }: Site): boolean {
  const candidates = argued.filter((entry) => entry.path === path && entry.replacement === replacement);
  if (candidates.length === 0) return false;
  const text = readFileSync(join(workspace, path), 'utf8').split('\n')[line - 1]?.trim();
  return candidates.some((entry) => entry.line === text);
}

/** Each argument is of one mutant. */
const argued: readonly Argued[] = [
  {
    path: 'apps/sparks/src/spark/expire-sparks.job.ts',
    line: 'DELETE FROM sparks s USING due WHERE s.id = due.id AND NOT due.has_content',
    replacement: '(NOT due.has_content OR TRUE)',
    reason:
      'The same statement has updated a row with content before, and PostgreSQL does not delete a row that its own command changed.',
  },
  {
    path: 'apps/vaults/src/removal/removal.repository.ts',
    line: "`UPDATE dvaks SET status = 'revoked', revoked_at = now(), wrapped_key = NULL WHERE vault_id = $1 AND status = 'active'`,",
    replacement: "(status = 'active' OR TRUE)",
    reason: 'The vault is deleted: nobody reads its keys any more, and a revoked one has no wrapped key.',
  },
  {
    path: 'apps/vaults/src/removal/removal.repository.ts',
    line: '`UPDATE vault_sessions SET wrapped_key = NULL WHERE vault_id = $1 AND wrapped_key IS NOT NULL`,',
    replacement: '(wrapped_key IS NOT NULL OR TRUE)',
    reason: 'It would only write rows again that have no wrapped key, to the same values.',
  },
  {
    path: 'apps/vaults/src/dvak/share-key.repository.ts',
    line: '`UPDATE ingot_versions SET shared_key = NULL WHERE vault_id = $1 AND shared_key IS NOT NULL`,',
    replacement: '(shared_key IS NOT NULL OR TRUE)',
    reason: 'It would only write the versions of ingots that are not shared again, to the same values.',
  },
  {
    path: 'apps/vaults/src/folder/record-folder-tree.ts',
    line: 'FROM generate_series(1, (SELECT count(*) + 1 FROM folders WHERE vault_id = $1 AND parent_id = $2)) number,',
    replacement: '(parent_id = $2 OR TRUE)',
    reason: 'More numbers are tried, and the first free one is the same.',
  },
  {
    path: 'apps/forge/src/istk/istk.repository.ts',
    line: "WHERE i.lookup = locked.lookup AND i.operation = 'encrypt' AND i.used_at IS NULL AND i.revoked_at IS NULL",
    replacement: '(i.revoked_at IS NULL OR TRUE)',
    reason: 'A revoked token has lost its wrapped key, which the next line asks for.',
  },
  {
    path: 'apps/sparks/src/visit/admission/link-policy.repository.ts',
    line: 'WHERE link_id = $1 AND revealed_at IS NULL AND ${IS_FRESH}',
    replacement: '(revealed_at IS NULL OR TRUE)',
    reason:
      'A grant is a one-time link: the same transaction has consumed it before, so nobody reveals it again.',
  },
  {
    path: 'apps/notify/src/providers/push/http2-connection.ts',
    line: 'const REPLY_BYTES_MAX = 4_096;',
    replacement: '4097',
    reason: 'It bounds the memory for a reply. What is read of one, the reason of APNs, is at its beginning.',
  },
  {
    path: 'apps/notify/src/sends/send-notification.handler.ts',
    line: "if (!content) throw new AppError('INTERNAL_ERROR');",
    replacement: "'PRECONDITION_FAILED'",
    reason:
      'Nobody gets this error: the terms of the send were read before, which refuses a send with neither content nor ingot.',
  },
  {
    path: 'apps/reporting/src/audit/audit-presenter.ts',
    line: '`SELECT link_id AS id, code FROM audit_link_codes WHERE account_id = $1 AND link_id = ANY($2::text[])`,',
    replacement: '(link_id = ANY($2::text[]) OR TRUE)',
    reason:
      'Each entry shows the code of its own link: codes of other links of the account would be read, and shown nowhere.',
  },
  {
    path: 'apps/reporting/src/billing/payment/payment.repository.ts',
    line: 'WHERE method.id = payment.payment_method_id AND method.account_id = payment.account_id) AS "methodRef"`,',
    replacement: '(method.account_id = payment.account_id OR TRUE)',
    reason: 'An id names one payment method, as in the next entry. The condition is a second lock.',
  },
  {
    path: 'apps/sparks/src/link/link-termination.repository.ts',
    line: "WHERE asset_id = $1 AND account_id = $2 AND is_managed AND status = 'consumed'),",
    replacement: '(is_managed OR TRUE)',
    reason:
      'The statement takes this mark from the rows. On one that has none it writes what is there, and locks a row that nobody else needs.',
  },
  {
    path: 'apps/sparks/src/sharing/spark/spark-share.repository.ts',
    line: 'WHERE asset_id = $1 AND account_id = $2 AND expires_at <= clock_timestamp()`,',
    replacement: '(account_id = $2 OR TRUE)',
    reason:
      'The next statement of the transaction finds the Spark in this account, or the transaction is rolled back; the links of a Spark are of its account.',
  },
  {
    path: 'apps/sparks/src/visit/passkey/passkey.repository.ts',
    line: '`SELECT identity_mac AS mac FROM passkeys WHERE account_id = $1 AND identity_mac = ANY($2::bytea[])`,',
    replacement: '(identity_mac = ANY($2::bytea[]) OR TRUE)',
    reason: 'The caller looks for the MACs of its subjects in the rows, and finds no other ones.',
  },
  {
    path: 'apps/forge/src/cleanup/object-cleanup.repository.ts',
    line: '`SELECT object_key FROM chunks WHERE version_id = $1 AND object_key = ANY($2::text[])`,',
    replacement: '(object_key = ANY($2::text[]) OR TRUE)',
    reason:
      'The caller asks for each of its keys whether a chunk has it; other keys of the version do not matter.',
  },
  {
    path: 'apps/reporting/src/billing/payment/payment.repository.ts',
    line: 'ON method.id = payment.payment_method_id AND method.account_id = payment.account_id`,',
    replacement: '(method.account_id = payment.account_id OR TRUE)',
    reason:
      'An id names one payment method, and the statements that make it the default ask for its account. The condition is a second lock.',
  },
  {
    path: 'apps/integrations/src/crm/panel/panel.repository.ts',
    line: '`SELECT ${COLUMNS} FROM panels WHERE lookup = $1 AND app_id = $2 AND NOT is_open AND expires_at > now()`,',
    replacement: '(NOT is_open OR TRUE)',
    reason:
      'A ticket and a bearer are hashed as values of two kinds, so that no text finds both a row before its trade and one after it: `is_open` is a second lock.',
  },
  {
    path: 'apps/integrations/src/crm/panel/panel.repository.ts',
    line: 'WHERE lookup = $1 AND app_id = $2 AND NOT is_open AND expires_at > now() RETURNING ${COLUMNS}`,',
    replacement: '(NOT is_open OR TRUE)',
    reason:
      'A ticket and a bearer are hashed as values of two kinds, so that no text finds both a row before its trade and one after it: `is_open` is a second lock.',
  },
  {
    path: 'apps/integrations/src/crm/panel/panel.repository.ts',
    line: '`SELECT ${COLUMNS} FROM panels WHERE lookup = $1 AND app_id = $2 AND is_open AND expires_at > now()`,',
    replacement: '(is_open OR TRUE)',
    reason:
      'A ticket and a bearer are hashed as values of two kinds, so that no text finds both a row before its trade and one after it: `is_open` is a second lock.',
  },
  {
    path: 'apps/integrations/src/installations/installation.repository.ts',
    line: "WHERE app_id = $1 AND remote_id = $2 AND status = 'active' AND sealed IS NOT NULL`,",
    replacement: "(status = 'active' OR TRUE)",
    reason:
      'A check of the table lets no ended installation keep tokens. The condition is that of the partial index.',
  },
  {
    path: 'apps/integrations/src/chat/post-secrets.job.ts',
    line: "else if (installation.isSuspended) throw new AppError('APP_SUSPENDED');",
    replacement: "'PRECONDITION_FAILED'",
    reason: 'The error is caught in the same method: the message is postponed, whatever its reason is.',
  },
  {
    path: 'apps/auth/src/users/user.repository.ts',
    line: "WHERE u.account_id = $1 AND u.invitation_resent_at IS NOT NULL AND sent.at > now() - interval '1 hour') AS count`,",
    replacement: '(u.invitation_resent_at IS NOT NULL OR TRUE)',
    reason: '`unnest` of null has no row. The condition is that of the partial index.',
  },
  {
    path: 'apps/auth/src/domains/txt-resolver.ts',
    line: 'const LOOKUP_MS_MAX = 5_000;',
    replacement: '5001',
    reason: 'Nobody can tell whether a query was given up a millisecond later.',
  },
  {
    path: 'apps/auth/src/users/removed-user-sessions.ts',
    line: 'WHERE id = $1 AND NOT EXISTS (SELECT 1 FROM families WHERE user_id = $1 AND revoked_at IS NULL)`,',
    replacement: '(NOT EXISTS (SELECT 1 FROM families WHERE user_id = $1 AND revoked_at IS NULL) OR TRUE)',
    reason:
      'The job has just ended every session of the user. The condition is for one that begins in between.',
  },
  {
    path: 'apps/reporting/src/billing/payment-method/payment-method.repository.ts',
    line: "WHERE method.account_id = excluded.account_id AND method.status <> 'detached'",
    replacement: "(method.status <> 'detached' OR TRUE)",
    reason:
      'A report that is repeated would write the same values again, and a default that was replaced before is no longer this method.',
  },
  {
    path: 'apps/vaults/src/structured/retrieval/value-retriever.ts',
    line: 'const LARGE_RETRIEVALS_MAX = 2;',
    replacement: '3',
    reason:
      'The answers are the same: one more at once takes 25 MB more memory, which no suite can attribute to it.',
  },
  {
    path: 'apps/gateway/src/access/access-token-verifier.ts',
    line: 'const CACHED_MAX = 10_000;',
    replacement: '10001',
    reason: 'The answers are the same: a token that is not in the cache is verified again.',
  },
  {
    path: 'apps/forge/src/cleanup/object-cleanup.repository.ts',
    line: '`SELECT object_key FROM chunks WHERE version_id = $1 AND object_key = ANY($2::text[])`,',
    replacement: '(object_key = ANY($2::text[]) OR TRUE)',
    reason:
      'The caller asks of the same keys whether the answer has them; further keys in it change nothing.',
  },
  {
    path: 'apps/sparks/src/safety/web-risk.ts',
    line: 'const PREFIXES_MAX = 10_000;',
    replacement: '10001',
    reason: 'The answers are the same: a prefix that is not in the cache is asked for again.',
  },
  {
    path: 'apps/sparks/src/spark/spark-removal.repository.ts',
    line: 'WHERE l.asset_id = ANY($1::text[]) AND l.account_id = $2 AND NOT EXISTS (SELECT 1 FROM sparks s WHERE s.id = l.asset_id)`,',
    replacement: '(l.account_id = $2 OR TRUE)',
    reason: 'The links that it finds are removed as those of the account, so that those of another one stay.',
  },
  {
    path: 'apps/reporting/src/history/spark-history.repository.ts',
    line: 'export const OUTCOMES_MAX = 50;',
    replacement: '51',
    reason: 'No requirement says after how many entries the reading stops. The audit log has all openings.',
  },
];

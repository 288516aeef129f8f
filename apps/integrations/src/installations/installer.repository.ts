import { Injectable } from '@nestjs/common';
import type { AppId } from '@vaultsvc/contracts/integrations';
import { statement, type Queryable } from '@vaultsvc/database';

/** A user or an API key that is gone. */
export type Leaver =
  | { readonly accountId: string; readonly userId: string }
  | { readonly accountId: string; readonly apiKeyId: string };

/** An installation of somebody who has left. */
export interface LeftInstallation {
  readonly appId: AppId;
  readonly isActive: boolean;
}

/** Who installed what: integrations act for their installer (APP-25). */
@Injectable()
export class InstallerRepository {
  /** The installations of a leaver until the commit, ended ones, too: what they have left is deleted in somebody's name. */
  async lockOf(tx: Queryable, leaver: Leaver): Promise<readonly LeftInstallation[]> {
    const [userId, apiKeyId] = 'userId' in leaver ? [leaver.userId, null] : [null, leaver.apiKeyId];
    const rows = await tx.query<{ app_id: AppId; is_active: boolean }>(lockInstallations, [
      leaver.accountId,
      userId,
      apiKeyId,
    ]);
    return rows.map(({ app_id, is_active }) => ({ appId: app_id, isActive: is_active }));
  }

  /** Hands an installation to a user; without one it is suspended, and acts for nobody. */
  async handOver(tx: Queryable, accountId: string, appId: AppId, userId: string | null): Promise<void> {
    await tx.query(handOver, [accountId, appId, userId, userId ?? appId]);
  }
}

const lockInstallations = statement(
  'integrations.lock-of-installer',
  `SELECT app_id, status = 'active' AS is_active FROM installations
    WHERE account_id = $1 AND (installed_by_user_id = $2 OR (installed_by_user_id IS NULL AND installed_by_credential_id = $3))
      FOR UPDATE`,
);

const handOver = statement(
  'integrations.hand-over',
  `UPDATE installations SET installed_by_user_id = $3::text, installed_by_credential_id = $4, is_suspended = ($3::text IS NULL AND status = 'active')
    WHERE account_id = $1 AND app_id = $2`,
);

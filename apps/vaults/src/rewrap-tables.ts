import { statement, type Queryable } from '@vaultsvc/database';
import type { RewrapDefinition, WrappedTable } from '@vaultsvc/service/rewrap';
import { VaultsConfig } from './config.js';
import { shareKeyContextOf } from './sharing/share-keys.js';
import { storage } from './storage.js';

/** The keys that key management has wrapped: the share keys of vaults. Vault keys are wrapped by their holders alone. */
export const rewrap: RewrapDefinition<VaultsConfig> = {
  service: 'vaults',
  config: VaultsConfig,
  databases: [{ storage, settingsOf: (config) => config, tableOf: shareKeysTable }],
};

function shareKeysTable(database: Queryable): WrappedTable {
  return {
    name: 'share keys in dvaks',
    readAfter: async ([after] = [''], limit) => {
      const rows = await database.query<ShareKeyRow>(readShareKeys, [after, limit]);
      return rows.map(({ id, accountId, vaultId, wrapped }) => ({
        id: [id],
        wrapped,
        context: shareKeyContextOf({ accountId, vaultId }),
      }));
    },
    replace: async ({ id: [id], wrapped }, rewrapped) =>
      (await database.query(replaceShareKey, [id, wrapped, rewrapped])).length === 1,
  };
}

interface ShareKeyRow {
  readonly id: string;
  readonly accountId: string;
  readonly vaultId: string;
  readonly wrapped: Buffer;
}

const readShareKeys = statement(
  'rewrap.read-share-keys',
  `SELECT id, account_id AS "accountId", vault_id AS "vaultId", wrapped_key AS wrapped FROM dvaks
    WHERE id > $1 AND system_purpose = 'sharing' AND status = 'active'
    ORDER BY id LIMIT $2`,
);

const replaceShareKey = statement(
  'rewrap.replace-share-key',
  `UPDATE dvaks SET wrapped_key = $3 WHERE id = $1 AND wrapped_key = $2 RETURNING id`,
);

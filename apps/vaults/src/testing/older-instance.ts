import type { Platform } from './platform.js';

/** The key of names of the release before (ADR 45). */
export function formerKey(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ').normalize('NFKC');
}

/** The statements of the release before on the ingots of a vault, as an instance of it makes them during a rollout. */
export function olderInstance({ sql }: Platform, vaultId: string, accountId: string) {
  return {
    /** Inserts an ingot at the root; false: it found one. */
    insert: async (id: string, name: string) => {
      const rows = await sql(
        `INSERT INTO ingots (id, vault_id, account_id, name, name_key, file_type, content_type, size_bytes, status)
         VALUES ($1, $2, $3, $4, $5, 'other', 'text/plain', 1, 'active')
         ON CONFLICT (vault_id, folder_id, name_key) DO NOTHING RETURNING id`,
        [id, vaultId, accountId, name, formerKey(name)],
      );
      return rows.length > 0;
    },
    rename: (id: string, name: string) =>
      sql(
        `UPDATE ingots SET name = coalesce($2::text, name), name_key = coalesce($3::text, name_key) WHERE id = $1`,
        [id, name, formerKey(name)],
      ),
    find: async (name: string) => {
      const text = `SELECT id FROM ingots WHERE vault_id = $1 AND name_key = $2`;
      return (await sql<{ id: string }>(text, [vaultId, formerKey(name)])).map(({ id }) => id);
    },
  };
}

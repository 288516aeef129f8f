import { eventually } from '@vaultsvc/testing/waiting';
import pg from 'pg';

/** Compares the figures that the schema of vaults holds about structured ingots, after the last transaction has ended. */
export class StructuredConsistency {
  private constructor(private readonly client: pg.Client) {}

  static async open(connectionString: string): Promise<StructuredConsistency> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return new StructuredConsistency(client);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Waits for open transactions: a killed instance, or a call past its deadline, may still commit. */
  async settle(): Promise<void> {
    const busy = async () => Number((await this.client.query<{ count: string }>(BUSY)).rows[0]?.count);
    await eventually(busy, (count) => count === 0);
  }

  /**
   * Compares the figures and describes those that disagree.
   * @param changes updates that were committed, as counted by the callers
   */
  async deviations(vaultId: string, changes: number): Promise<string[]> {
    const { rows } = await this.client.query<Record<string, string>>(FIGURES, [vaultId]);
    const figures: Record<string, string> = { ...rows[0], changes: String(changes) };
    return PAIRS.filter(([left, right]) => figures[left] !== figures[right]).map(
      ([left, right]) => `${left} is ${figures[left]} and ${right} is ${figures[right]}`,
    );
  }
}

/** Transactions of other sessions of this user. */
const BUSY = `
  SELECT count(*) FROM pg_stat_activity
   WHERE usename = current_user AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;

const PAIRS = [
  ['storage of the vault', 'bytes of the values'],
  ['size of the ingots', 'bytes of the values'],
  ['bytes in events', 'bytes of the values'],
  ['keys of the ingots', 'values'],
  ['ingots of the vault', 'structured ingots'],
  ['changes in events', 'changes'],
] as const;

const FIGURES = `
  SELECT (SELECT storage_bytes FROM vaults WHERE id = $1)::text AS "storage of the vault",
         (SELECT ingot_count FROM vaults WHERE id = $1)::text AS "ingots of the vault",
         (SELECT coalesce(sum(size_bytes), 0) FROM ingots WHERE vault_id = $1)::text AS "size of the ingots",
         (SELECT coalesce(sum(key_count), 0) FROM structured_ingots WHERE vault_id = $1)::text AS "keys of the ingots",
         (SELECT count(*) FROM structured_ingots WHERE vault_id = $1)::text AS "structured ingots",
         (SELECT count(*) FROM structured_values WHERE vault_id = $1)::text AS "values",
         (SELECT coalesce(sum(size_bytes), 0) FROM structured_values WHERE vault_id = $1)::text AS "bytes of the values",
         (SELECT coalesce(sum((payload->>'stored_bytes')::bigint), 0) FROM recorded_events
           WHERE name LIKE 'vaults.structured-%' AND payload->>'vault_id' = $1)::text AS "bytes in events",
         (SELECT count(*) FROM recorded_events
           WHERE name = 'vaults.structured-updated' AND payload->>'vault_id' = $1)::text AS "changes in events"`;

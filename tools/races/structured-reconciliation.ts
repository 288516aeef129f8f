import { eventually } from '@vaultsvc/testing/waiting';
import pg from 'pg';

/** What the schema of vaults says of structured ingots, when no call is under way any more. */
export class StructuredReconciliation {
  private constructor(private readonly client: pg.Client) {}

  static async open(connectionString: string): Promise<StructuredReconciliation> {
    const client = new pg.Client({ connectionString });
    await client.connect();
    return new StructuredReconciliation(client);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** A copy that was killed, and a call that nobody waits for any more, may still commit for a moment. */
  async settle(): Promise<void> {
    const busy = async () => Number((await this.client.query<{ count: string }>(BUSY)).rows[0]?.count);
    await eventually(busy, (count) => count === 0);
  }

  /**
   * Figures that disagree, as sentences.
   * @param changes that callers know of
   */
  async deviations(vaultId: string, changes: number): Promise<string[]> {
    const { rows } = await this.client.query<Record<string, string>>(BOOKS, [vaultId]);
    const books: Record<string, string> = { ...rows[0], changes: String(changes) };
    return PAIRS.filter(([left, right]) => books[left] !== books[right]).map(
      ([left, right]) => `${left} is ${books[left]} and ${right} is ${books[right]}`,
    );
  }
}

/** A session that holds a transaction open does not say `idle`. */
const BUSY = `
  SELECT count(*) FROM pg_stat_activity
   WHERE usename = current_user AND pid <> pg_backend_pid() AND xact_start IS NOT NULL`;

const PAIRS = [
  ['storage of the vault', 'bytes of the values'],
  ['size of the ingots', 'bytes of the values'],
  ['bytes told of', 'bytes of the values'],
  ['keys of the ingots', 'values'],
  ['ingots of the vault', 'structured ingots'],
  ['changes told of', 'changes'],
] as const;

const BOOKS = `
  SELECT (SELECT storage_bytes FROM vaults WHERE id = $1)::text AS "storage of the vault",
         (SELECT ingot_count FROM vaults WHERE id = $1)::text AS "ingots of the vault",
         (SELECT coalesce(sum(size_bytes), 0) FROM ingots WHERE vault_id = $1)::text AS "size of the ingots",
         (SELECT coalesce(sum(key_count), 0) FROM structured_ingots WHERE vault_id = $1)::text AS "keys of the ingots",
         (SELECT count(*) FROM structured_ingots WHERE vault_id = $1)::text AS "structured ingots",
         (SELECT count(*) FROM structured_values WHERE vault_id = $1)::text AS "values",
         (SELECT coalesce(sum(size_bytes), 0) FROM structured_values WHERE vault_id = $1)::text AS "bytes of the values",
         (SELECT coalesce(sum((payload->>'stored_bytes')::bigint), 0) FROM outbox
           WHERE name LIKE 'vaults.structured-%' AND payload->>'vault_id' = $1)::text AS "bytes told of",
         (SELECT count(*) FROM outbox
           WHERE name = 'vaults.structured-updated' AND payload->>'vault_id' = $1)::text AS "changes told of"`;

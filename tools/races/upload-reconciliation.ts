import { existsSync, readdirSync } from 'node:fs';
import { relative, join } from 'node:path';
import pg from 'pg';

/** What the schemas and the disk say of all uploads together. */
export interface Books {
  readonly storageUsed: number;
  readonly storageReserved: number;
  readonly ledgerStorage: number;
  readonly vaultStorage: number;
  readonly ingotBytes: number;
  readonly pendingVersions: number;
  readonly openUploads: number;
  readonly openReservations: number;
  readonly unsentEvents: number;
  readonly deadLetters: number;
  readonly chunkRows: number;
  readonly objects: number;
  /** Objects that no chunk names, and chunks whose object is not there. */
  readonly strays: number;
  readonly missing: number;
}

/** Runs SQL over all schemas of a stack. */
export class UploadReconciliation {
  private constructor(
    private readonly client: pg.Client,
    private readonly objectsDir: string,
  ) {}

  static async open({ postgres_url, objects_dir }: { postgres_url: string; objects_dir: string }) {
    const client = new pg.Client({ connectionString: postgres_url });
    await client.connect();
    return new UploadReconciliation(client, objects_dir);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Makes due what a quiet system does within hours: sweeps, and the ends of reservations that nobody confirmed. */
  async age(): Promise<void> {
    await this.client
      .query(`UPDATE forge.uploads SET sweep_at = now(), ended_at = ended_at - interval '3 hours'
                              WHERE sweep_at IS NOT NULL`);
    await this.client.query(`UPDATE reporting.reservations SET expires_at = now() WHERE status = 'held'`);
  }

  async read(): Promise<Books> {
    const { rows } = await this.client.query<Record<string, string>>(BOOKS);
    const figures = Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
    );
    const named = await this.client.query<{ object_key: string }>(`SELECT object_key FROM forge.chunks`);
    const keys = new Set(named.rows.map(({ object_key }) => object_key));
    const objects = this.#objects();
    const strays = objects.filter((key) => !keys.has(key)).length;
    const missing = keys.size - (objects.length - strays);
    return { ...figures, objects: objects.length, strays, missing } as unknown as Books;
  }

  #objects(): string[] {
    if (!existsSync(this.objectsDir)) return [];
    return readdirSync(this.objectsDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(this.objectsDir, join(parentPath, name)).replace(/\.bin$/, ''));
  }
}

const BOOKS = `
  SELECT (SELECT coalesce(sum(storage_used), 0) FROM reporting.pools) AS "storageUsed",
         (SELECT coalesce(sum(storage_reserved), 0) FROM reporting.pools) AS "storageReserved",
         (SELECT coalesce(sum(quantity), 0) FROM reporting.ledger WHERE resource = 'storage') AS "ledgerStorage",
         (SELECT coalesce(sum(storage_bytes), 0) FROM vaults.vaults) AS "vaultStorage",
         (SELECT coalesce(sum(size_bytes), 0) FROM vaults.ingots WHERE current_version IS NOT NULL) AS "ingotBytes",
         (SELECT count(*) FROM vaults.ingots WHERE pending_version IS NOT NULL) AS "pendingVersions",
         (SELECT count(*) FROM forge.uploads WHERE status = 'open') AS "openUploads",
         (SELECT count(*) FROM reporting.reservations WHERE status <> 'closed') AS "openReservations",
         (SELECT count(*) FROM vaults.outbox WHERE sent_at IS NULL)
           + (SELECT count(*) FROM forge.outbox WHERE sent_at IS NULL) AS "unsentEvents",
         (SELECT count(*) FROM vaults.dead_letters) + (SELECT count(*) FROM forge.dead_letters)
           + (SELECT count(*) FROM reporting.dead_letters) AS "deadLetters",
         (SELECT count(*) FROM forge.chunks) AS "chunkRows"`;

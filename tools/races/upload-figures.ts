import { existsSync, readdirSync } from 'node:fs';
import { relative, join } from 'node:path';
import pg from 'pg';

/** Totals over all uploads, from the schemas and the disk. */
export interface UploadFigures {
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
  /** Objects without a chunk row. */
  readonly orphanedObjects: number;
  /** Chunk rows without an object. */
  readonly missingObjects: number;
}

/** Reads the figures that must agree from all schemas of a stack. */
export class UploadFiguresReader {
  private constructor(
    private readonly client: pg.Client,
    private readonly objectsDir: string,
  ) {}

  static async open({ postgres_url, objects_dir }: { postgres_url: string; objects_dir: string }) {
    const client = new pg.Client({ connectionString: postgres_url });
    await client.connect();
    return new UploadFiguresReader(client, objects_dir);
  }

  async close(): Promise<void> {
    await this.client.end();
  }

  /** Makes sweeps and the expiry of unconfirmed reservations due at once, which otherwise takes hours. */
  async makeCleanupDue(): Promise<void> {
    await this.client
      .query(`UPDATE forge.uploads SET sweep_at = now(), ended_at = ended_at - interval '3 hours'
                              WHERE sweep_at IS NOT NULL`);
    await this.client.query(`UPDATE reporting.reservations SET expires_at = now() WHERE status = 'held'`);
  }

  async read(): Promise<UploadFigures> {
    const { rows } = await this.client.query<Record<string, string>>(FIGURES);
    const figures = Object.fromEntries(
      Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
    );
    const named = await this.client.query<{ object_key: string }>(`SELECT object_key FROM forge.chunks`);
    const keys = new Set(named.rows.map(({ object_key }) => object_key));
    const objects = this.#objects();
    const orphanedObjects = objects.filter((key) => !keys.has(key)).length;
    const missingObjects = keys.size - (objects.length - orphanedObjects);
    return {
      ...figures,
      objects: objects.length,
      orphanedObjects,
      missingObjects,
    } as unknown as UploadFigures;
  }

  #objects(): string[] {
    if (!existsSync(this.objectsDir)) return [];
    return readdirSync(this.objectsDir, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(this.objectsDir, join(parentPath, name)).replace(/\.bin$/, ''));
  }
}

const FIGURES = `
  SELECT (SELECT coalesce(sum(storage_used), 0) FROM reporting.pools) AS "storageUsed",
         (SELECT coalesce(sum(storage_reserved), 0) FROM reporting.pools) AS "storageReserved",
         (SELECT coalesce(sum(quantity), 0) FROM reporting.ledger_lines WHERE resource = 'storage') AS "ledgerStorage",
         (SELECT coalesce(sum(storage_bytes), 0) FROM vaults.vaults) AS "vaultStorage",
         (SELECT coalesce(sum(size_bytes), 0) FROM vaults.ingots WHERE current_version IS NOT NULL) AS "ingotBytes",
         (SELECT count(*) FROM vaults.ingots WHERE pending_version IS NOT NULL) AS "pendingVersions",
         (SELECT count(*) FROM forge.uploads WHERE status = 'open') AS "openUploads",
         (SELECT count(*) FROM reporting.reservations WHERE status <> 'closed') AS "openReservations",
         (SELECT count(*) FROM vaults.outbox) + (SELECT count(*) FROM forge.outbox) AS "unsentEvents",
         (SELECT count(*) FROM vaults.dead_letters) + (SELECT count(*) FROM forge.dead_letters)
           + (SELECT count(*) FROM reporting.dead_letters) AS "deadLetters",
         (SELECT count(*) FROM forge.chunks) AS "chunkRows"`;

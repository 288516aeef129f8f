import type { DataSource } from 'typeorm';

/** Undoes migrations, the last one first, up to and including the one with this name. */
export async function undoThrough(source: DataSource, name: string): Promise<void> {
  const isApplied = async () =>
    (await source.query<unknown[]>('SELECT 1 FROM migrations WHERE name = $1', [name])).length > 0;
  while (await isApplied()) await source.undoLastMigration();
}

import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * One row for each record, and one record for each folder. Releases before this one took an id of crmb as it was sent, with 15 or
 * with 18 characters, and found folders by their names, in which neither the portal nor the case of an id counts. Where two rows
 * are now one, or share a folder, the older keeps it, as far as the order of the table tells. The files of the other one stay in
 * the vault, where the account finds them; its record gets a folder of its own with the next `resolve` or upload.
 */
export class NormalizeRecords1767710000000 implements MigrationInterface {
  readonly name = 'NormalizeRecords1767710000000';

  async up(runner: QueryRunner): Promise<void> {
    // For the moment of the migration: a row that an older instance adds between two statements would fail the last one.
    await runner.query(`LOCK TABLE record_folders IN SHARE ROW EXCLUSIVE MODE`);
    for (const text of [deleteSharing, deleteOtherForms, normalizeFolders, normalizeTokens])
      await runner.query(text);
  }

  /** The release before finds the folders of normalized rows by their names, as it made them. */
  async down(): Promise<void> {}
}

/** The id of 18 characters for one of 15: for each five, a character tells which are upper case. */
const wholeId = (id: string) => `${id} || (
  SELECT string_agg(substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ012345', 1 + bits, 1), '' ORDER BY block)
    FROM (SELECT block, sum(CASE WHEN substr(${id}, 5 * block + place + 1, 1) COLLATE "C" ~ '[A-Z]'
                                 THEN 1 << place ELSE 0 END)::integer AS bits
            FROM generate_series(0, 2) block, generate_series(0, 4) place GROUP BY block) blocks)`;

const isShort = (id: string) => `app_id = 'crmb' AND ${id} COLLATE "C" ~ '^[0-9A-Za-z]{15}$'`;

const deleteSharing = `
  DELETE FROM record_folders younger USING record_folders older
   WHERE older.vault_id = younger.vault_id AND older.folder_id = younger.folder_id AND older.ctid < younger.ctid`;

const deleteOtherForms = `
  WITH normalized AS (
    SELECT ctid AS place, account_id, app_id, remote_id, vault_id, object_type,
           CASE WHEN ${isShort('record_id')} THEN ${wholeId('record_id')} ELSE record_id END AS record_id
      FROM record_folders WHERE app_id = 'crmb'),
  ordered AS (
    SELECT place, row_number() OVER (PARTITION BY account_id, app_id, remote_id, vault_id, object_type, record_id
                                     ORDER BY place) AS number FROM normalized)
  DELETE FROM record_folders r USING ordered WHERE r.ctid = ordered.place AND ordered.number > 1`;

const normalizeFolders = `
  UPDATE record_folders SET record_id = ${wholeId('record_id')} WHERE ${isShort('record_id')}`;

const normalizeTokens = `
  UPDATE record_tokens SET user_id = ${wholeId('user_id')} WHERE ${isShort('user_id')}`;

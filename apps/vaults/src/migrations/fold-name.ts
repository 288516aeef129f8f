import { simpleCaseFolding } from '@vaultsvc/contracts/names';

const letters = [...simpleCaseFolding().keys()].join('');
const folded = [...simpleCaseFolding().values()].join('');

/**
 * `nameKey` in PostgreSQL, for the names that instances of the release before write. Its normalization is of the Unicode version of
 * PostgreSQL, so that it is a stopgap only.
 */
export const createFoldName = `
  CREATE OR REPLACE FUNCTION fold_name(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT normalize(translate(normalize(name, NFC), '${letters}', '${folded}'), NFC)
  $$`;

export const dropFoldName = `DROP FUNCTION IF EXISTS fold_name(text)`;

import type { OpenVault } from './vault-access.js';

const KEYS_PER_CALL = 100;
const READS_AT_ONCE = 8;
/** The Sparks are read at once; the shortest lifetime that the API accepts is enough. */
const TTL_SECONDS = 60;

/** Values by key, and the keys that do not exist. */
export interface SecretValues {
  readonly values: ReadonlyMap<string, string>;
  readonly missing: readonly string[];
}

const PATH = '/v1/products/structured-ingots/{vault_id}/{ingot_id}';

/** The names of the keys of a structured ingot. */
export async function readKeyNames({ client, vaultId: vault_id }: OpenVault, ingot_id: string) {
  const { data } = await client.GET(PATH, { params: { path: { vault_id, ingot_id } } });
  return data;
}

/** Reads values. Each leaves the vault as a Spark that is read once. */
export async function readValues(
  vault: OpenVault,
  ingot_id: string,
  keys: readonly string[],
): Promise<SecretValues> {
  const values = new Map<string, string>();
  const missing: string[] = [];
  for (let i = 0; i < keys.length; i += KEYS_PER_CALL) {
    const { data } = await mint(vault, ingot_id, keys.slice(i, i + KEYS_PER_CALL));
    missing.push(...(data.missing_keys ?? []));
    // A key may be `__proto__`; entries are own properties only.
    const minted = Object.entries(data.values ?? {});
    for (let j = 0; j < minted.length; j += READS_AT_ONCE) {
      const some = minted.slice(j, j + READS_AT_ONCE);
      const read = await Promise.all(some.map(([, { spark_id }]) => readSpark(vault, spark_id)));
      some.forEach(([key], k) => values.set(key, read[k] ?? ''));
    }
  }
  return { values, missing };
}

function mint({ client, vaultId: vault_id }: OpenVault, ingot_id: string, keys: readonly string[]) {
  const query = { keys: keys.join(','), ttl: TTL_SECONDS };
  return client.GET(PATH, { params: { path: { vault_id, ingot_id }, query } });
}

async function readSpark({ client }: OpenVault, spark_id: string): Promise<string> {
  return (await client.GET('/v1/sparks/{spark_id}', { params: { path: { spark_id } } })).data.payload;
}

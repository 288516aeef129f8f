import type { Client } from '@vaultsvc/client';

/** Lifetime of the Spark that holds the value, should reading it fail; the least that the API takes. */
const SPARK_SECONDS = 60;

/**
 * Takes a value out of a set, through a Spark that is read at once and so burnt: call it when somebody asks for the value, never by itself.
 * Rejects with the refusal.
 * @param inside a client with the token of the vault
 * @param client one without
 */
export async function revealSecret(
  { inside, client }: { readonly inside: Client; readonly client: Client },
  { vaultId, ingotId, name }: { readonly vaultId: string; readonly ingotId: string; readonly name: string },
): Promise<string> {
  const { data } = await inside.GET('/v1/products/structured-ingots/{vault_id}/{ingot_id}', {
    params: { path: { vault_id: vaultId, ingot_id: ingotId }, query: { keys: name, ttl: SPARK_SECONDS } },
  });
  const spark = data.values?.[name];
  if (!spark) throw new Error('The answer has no value.');
  const read = await client.GET('/v1/sparks/{spark_id}', {
    params: { path: { spark_id: spark.spark_id } },
  });
  return read.data.payload;
}

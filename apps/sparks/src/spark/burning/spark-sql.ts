/** The members of a Spark in the payload of its events, for `jsonb_build_object` over a row with these columns. */
export const SPARK_MEMBERS = `'spark_id', id, 'account_id', account_id, 'size_bytes', size_bytes`;

/** The deciding change of a burn: the key and the ciphertext are gone with its commit. */
export const BURN = `status = 'ash', burned_at = clock_timestamp(), wrapped_dek = NULL, ciphertext = NULL, lock_token = NULL, locked_at = NULL`;

/** Whether an account sees a row of `sparks`: without a kindling, another account's looks like a missing one (AMB-06). */
export function isVisibleTo(accountId: string, spark = 'sparks'): string {
  return `(${spark}.kindling IS NOT NULL OR ${spark}.account_id = ${accountId})`;
}

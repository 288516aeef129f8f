/**
 * SQL of a `timestamptz` as whole Unix epoch seconds, rounded down: the form of every `*_at` field (ENV-08).
 * @param expression a column, qualified or not, or an expression such as `now()`
 * @param alias the name in the result; by default the column's own
 */
export function epochSeconds(
  expression: string,
  alias = expression.slice(expression.lastIndexOf('.') + 1),
): string {
  return `floor(extract(epoch FROM ${expression}))::bigint AS "${alias}"`;
}

/**
 * Packs byte strings into one `bytea` parameter; the statement cuts them out again with `substr(bytes, start, length)`.
 * A `bytea[]` parameter travels as hexadecimal text: 7 MiB of it take five times as long.
 * @returns start positions (PostgreSQL counts from 1), lengths, and the concatenated bytes
 */
export function packByteArrays(
  parts: readonly Buffer[],
): [starts: number[], lengths: number[], bytes: Buffer] {
  let next = 1;
  const starts = parts.map(({ length }) => (next += length) - length);
  return [starts, parts.map(({ length }) => length), Buffer.concat(parts)];
}

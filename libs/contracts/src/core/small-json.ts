/**
 * Whether a value is a JSON object or list within these bounds that PostgreSQL's jsonb gives back as it was: it holds
 * neither NUL nor lone surrogates, and `1e999` is Infinity here and would be stored as null.
 */
export function isSmallJson(value: unknown, bytesMax: number, depthMax: number): boolean {
  // Every check of a field runs, also behind one that has failed.
  if (typeof value !== 'object' || value === null) return false;
  if (depthOf(value) > depthMax || !hasFiniteNumbers(value)) return false;
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) <= bytesMax && !/\\u(0000|d[89a-f])/i.test(text.replaceAll('\\\\', ''));
}

function hasFiniteNumbers(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every(hasFiniteNumbers);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Object.values(value).reduce<number>((deepest, inner) => Math.max(deepest, depthOf(inner)), 0);
}

import { exampleOf, type PublicOperation } from '@vaultsvc/contracts';

/** Fields of a body that name something that exists, prove something, or must be new. Other fields are sent as printed. */
const REAL = new Set([
  'code',
  'code_verifier',
  'domain',
  'email',
  'identity',
  'ingot_id',
  'interaction_token',
  'invoice_id',
  'receipt',
  'refresh_token',
  'response',
  'token',
  'vat',
  'vault_id',
  'vmk',
]);

type Fields = Readonly<Record<string, unknown>>;
type Replacement = readonly [string, string];

/** The printed values of an operation that a call needs real ones for, with those of an input. */
export function realValues(op: PublicOperation, input: object): Replacement[] {
  const { params = {}, query = {}, body = {} } = input as Readonly<Record<string, Fields>>;
  const isReal = ([name]: readonly [string, unknown]) => REAL.has(name);
  return [
    ...(op.params ? textsOf(exampleOf(op.params), params) : []),
    ...(op.query ? textsOf(exampleOf(op.query), query) : []),
    ...(op.body ? textsOf(Object.fromEntries(Object.entries(exampleOf(op.body)).filter(isReal)), body) : []),
  ];
}

/** The texts of an example that the input has other texts for. */
function textsOf(example: unknown, input: unknown): Replacement[] {
  if (typeof example === 'string' && (typeof input === 'string' || typeof input === 'number'))
    return [[example, String(input)]];
  if (typeof example !== 'object' || example === null) return [];
  return Object.entries(example).flatMap(([name, value]) =>
    textsOf(value, ((input ?? {}) as Fields)[name] ?? value),
  );
}

/** A source with other values in it. Values that are part of others come last. */
export function withValues(source: string, values: readonly Replacement[]): string {
  return [...values]
    .sort(([one], [other]) => other.length - one.length)
    .reduce((text, [printed, real]) => text.replaceAll(printed, real), source);
}

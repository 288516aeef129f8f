import { schemaOf, type PublicOperation } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { isProtectedReference, isReference, nameOfField, pathNamesOf, textsIn } from './contract-names.js';
import { isSuccess, type Answer } from './answer.js';
import { KEPT } from './invariants.js';
import { isRevelation, sparkOf } from './revelation.js';
import type { Attempt } from './journal.js';
import type { KnownRecord, KnownValues } from './known-values.js';

/** Adds to the model what an answer gives out and what its call has changed. */
export function learn(attempt: Attempt, answer: Answer, known: KnownValues): void {
  if (!isSuccess(answer)) return;
  const { op, parts } = attempt;
  shareTexts(attempt, known);
  if (isOfCaller(op))
    collect(attempt, answer.data, { ...keysOf(attempt), ...pathValuesOf(op, parts.params) }, known);
  if (op.http.method === 'DELETE') endNamed(attempt, known);
  otherEffects[op.name]?.(parts.params ?? {}, known, answer.data);
}

/** A caller may give its own resources the names of others, and sees them from then on. */
function shareTexts({ op, parts: { body } }: Attempt, known: KnownValues): void {
  for (const { field, text, schema } of textsIn(body, op.body && schemaOf(op.body)))
    if (!isProtectedReference(field, schema)) known.share(text);
}

/** The keys in a body: what a reply gives out for them ends with them. */
function keysOf({ parts: { body } }: Attempt): Record<string, string> {
  const { dvak_token } = (body ?? {}) as Record<string, unknown>;
  return typeof dvak_token === 'string' ? { dvak_token } : {};
}

/** False for documents that everybody reads, and for links, whose visitor has no account. */
function isOfCaller({ http, access }: PublicOperation): boolean {
  return http.surface !== 'links' && (access.credential !== 'none' || http.method !== 'GET');
}

type Effect = (params: Readonly<Record<string, string>>, known: KnownValues, data: unknown) => void;

/** Ends that are no DELETE, or that reach further. A new operation of this kind needs a line here. */
const otherEffects: Readonly<Record<string, Effect>> = {
  'sparks.read': ({ spark_id = '' }, known) => known.setState(spark_id, 'spent'),
  'sparks.open-link': ({ link_code = '' }, known, data) => {
    if (isRevelation(data)) known.setState(sparkOf(link_code, known) ?? '', 'spent');
  },
  'vaults.seal': ({ vault_id = '' }, known) => {
    for (const vat of known.below(vault_id, 'vat')) known.setState(vat, 'ended');
  },
  // Absent invites end (SHR-04).
  'vaults.update-sharing': ({ ingot_id = '' }, known) => {
    for (const invite of known.below(ingot_id, 'invite_id')) known.setState(invite, 'unsure');
  },
};

function pathValuesOf(
  op: PublicOperation,
  params: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(pathNamesOf(op).map(({ param, name }) => [name, params[param] ?? '']));
}

/** One record for each object of a reply: its ids and tokens, those of the objects around it, and those of the path. */
function collect(
  attempt: Attempt,
  value: unknown,
  around: Readonly<Record<string, string>>,
  known: KnownValues,
  parents = around,
): void {
  if (typeof value !== 'object' || value === null) return;
  const entries = Object.entries(value) as [string, unknown][];
  const own = entries.filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && isReference(entry[0], entry[1]),
  );
  const values = { ...around, ...Object.fromEntries(own.map(([field, text]) => [nameOfField(field), text])) };
  if (own.length > 0) known.add(recordOf(attempt, values, value), parents, 'kindling' in value);
  for (const [, inner] of entries) collect(attempt, inner, values, known, parents);
}

function recordOf({ owner }: Attempt, values: Record<string, string>, object: object): KnownRecord {
  const size = 'size_bytes' in object ? { sizeBytes: Number(object.size_bytes) } : {};
  return { owner, values, ...size };
}

function endNamed({ op, owner, parts: { params = {} } }: Attempt, known: KnownValues): void {
  const last = pathNamesOf(op).at(-1);
  if (!last || !op.http.path.endsWith(`{${last.param}}`)) return;
  const value = params[last.param] ?? '';
  // A Spark that was read stays (AMB-04); one of the other account is answered as if it were unknown (AMB-05).
  if (known.stateOf(value) === 'spent' || !known.isOf(owner, value)) return;
  known.setState(value, last.name === 'link_code' ? 'unsure' : 'ended');
  for (const name of namesBelow(last.name))
    for (const inner of known.below(value, name)) known.setState(inner, KEPT.has(name) ? 'unsure' : 'ended');
  endSecrets(value, known);
}

/** The key of a revoked id, and the access tokens that were issued for it (DVK-19). */
function endSecrets(id: string, known: KnownValues): void {
  const keys = [...known.beside(id, 'api_key'), ...known.beside(id, 'dvak_token')];
  for (const secret of [...keys, ...keys.flatMap((key) => known.beside(key, 'vat'))])
    known.setState(secret, 'ended');
}

/** Names that some path has below this one; access tokens are below their vault. */
function namesBelow(name: string): ReadonlySet<string> {
  const below = operations.flatMap((op) => {
    const names = pathNamesOf(op).map((path) => path.name);
    return names.includes(name) ? names.slice(names.indexOf(name) + 1) : [];
  });
  return new Set(name === 'vault_id' ? [...below, 'vat'] : below);
}

import { schemaOf, vaultOfCall, type PublicOperation } from '@vaultsvc/contracts';
import { isProtectedReference, pathNamesOf, textsIn } from './contract-names.js';
import { Violation, type Answer } from './answer.js';
import { isRevelation, sparkOf } from './revelation.js';
import type { Attempt } from './journal.js';
import type { KnownValues } from './known-values.js';

/** Resources that stay readable after their DELETE, with the status revoked (KEY-15, DVK-15, AMB-36). */
export const KEPT: ReadonlySet<string> = new Set(['api_key_id', 'last_4_chars', 'link_code']);

/** Its DELETE is 202 again until a job has removed the rows (OPEN-12). */
const REPEATABLE: ReadonlySet<string> = new Set(['vaults.delete']);

/** The log of an ingot stays readable until its vault is deleted (AUD-13). */
const HISTORY: ReadonlySet<string> = new Set(['reporting.list-ingot-audit']);

/** Whoever has the code of a durable share may use it, from any account (OPEN-22, OPEN-33). */
export const SHARED: ReadonlySet<string> = new Set(['sparks.describe-share', 'sparks.open-share']);

/** The mark in every text that a request plants in a field that its contract does not declare. */
export const PLANTED = 'planted0';

/** Why a call must not succeed; undefined when it may. To be asked before the call: its success changes the answer. */
export function whyRefused(attempt: Attempt, known: KnownValues): string | undefined {
  const { op, credential } = attempt;
  if (typeof credential === 'object' && known.stateOf(credential.key) === 'ended')
    return 'its API key is revoked';
  if (op.access.credential !== 'key' && op.access.credential !== 'session') return undefined;
  return wrongToken(attempt, known) ?? wrongParameter(attempt, known) ?? wrongReference(attempt, known);
}

function wrongToken({ op, parts, vat = '', owner }: Attempt, known: KnownValues): string | undefined {
  const vaultId = vaultOfCall(op, parts.params ?? {}, parts.body);
  if (vaultId === undefined) return undefined;
  if (known.stateOf(vat) === 'ended') return 'its Vault Access Token has ended';
  if ((known.ownerOf(vat) ?? owner) !== owner) return 'its Vault Access Token belongs to the other account';
  const { vault_id } = known.parentsOf(vat);
  const isOther = vault_id !== undefined && vault_id !== vaultId;
  return isOther ? 'its Vault Access Token is for another vault' : undefined;
}

function wrongParameter(
  { op, parts: { params = {} }, owner }: Attempt,
  known: KnownValues,
): string | undefined {
  if (op.unknown === 'no-content') return undefined;
  for (const { param, name } of pathNamesOf(op)) {
    const value = params[param] ?? '';
    const isForeign = (known.ownerOf(value) ?? owner) !== owner;
    if (isForeign && !SHARED.has(op.name)) return `${param} belongs to the other account`;
    if (known.stateOf(value) === 'ended' && !isKept(op, name) && !REPEATABLE.has(op.name))
      return `${param} has been deleted`;
    const parents = known.parentsOf(value);
    const other = pathNamesOf(op).find(
      (upper) => (parents[upper.name] ?? params[upper.param]) !== params[upper.param],
    );
    if (other) return `${param} is below another ${other.param}`;
  }
  return undefined;
}

/** Whether an operation may answer for what has been deleted, when its path calls that `name`. */
export function isKept(op: PublicOperation, name: string): boolean {
  return KEPT.has(name) || (HISTORY.has(op.name) && name === 'ingot_id');
}

function wrongReference({ op, parts, owner }: Attempt, known: KnownValues): string | undefined {
  const body: Readonly<Record<string, unknown>> = { ...parts.body };
  for (const { field, text, schema } of textsIn(body, op.body && schemaOf(op.body))) {
    if (!isProtectedReference(field, schema) || isIgnored(field, body)) continue;
    if ((known.ownerOf(text) ?? owner) !== owner) return `${field} belongs to the other account`;
    if (known.stateOf(text) === 'ended') return `${field} has ended`;
  }
  return undefined;
}

/** A key of type nhi has no user, whatever the request names (DVK-05). */
function isIgnored(field: string, body: Readonly<Record<string, unknown>>): boolean {
  return field === 'authorized_user_id' && body['dvak_type'] === 'nhi';
}

/** Throws when a reply shows what the caller may not see: ids of the other account, deleted ids, planted fields. */
export function assertVisible(attempt: Attempt, { data }: Answer, known: KnownValues): void {
  const sent = JSON.stringify([attempt.parts, attempt.vat]);
  const { name } = attempt.op;
  visit(data, (field, value) => {
    if (sent.includes(value)) return;
    if (value.includes(PLANTED)) throw new Violation(`${name} shows the planted ${field} ${value}`);
    if ((known.ownerOf(value) ?? attempt.owner) !== attempt.owner && !SHARED.has(name))
      throw new Violation(`${name} shows ${field} ${value} of the other account`);
    if (known.stateOf(value) === 'ended' && showsPresent(attempt.op) && isOwnId(field))
      throw new Violation(`${name} shows the deleted ${field} ${value}`);
  });
}

/** Logs, transactions and analytics name what has been deleted since. */
function showsPresent({ http, service }: PublicOperation): boolean {
  return http.method === 'GET' && service !== 'reporting';
}

/** Other fields, such as `created_by_user_id`, name deleted resources too. */
function isOwnId(field: string): boolean {
  return /^(spark|vault|ingot|folder|invite)_id$/.test(field);
}

/**
 * Visits all texts of a reply. A kindling belongs to all accounts (SPK-21), a deleted vault stays listed for a while, and
 * its links may be revoked a moment later.
 */
function visit(value: unknown, see: (field: string, text: string) => void, field = ''): void {
  if (typeof value === 'string') return see(field, value);
  if (typeof value !== 'object' || value === null) return;
  if ('kindling' in value || 'link_type' in value || ('status' in value && value.status === 'deleting'))
    return;
  for (const [name, inner] of Object.entries(value)) visit(inner, see, Array.isArray(value) ? field : name);
}

/** SPK-25: throws when a Spark is revealed a second time, by a read or by its link. */
export function assertFirstReading(
  { op, parts }: Attempt,
  { reason, data }: Answer,
  known: KnownValues,
): void {
  if (reason !== undefined) return;
  const { spark_id, link_code = '' } = parts.params ?? {};
  const revealed =
    op.name === 'sparks.open-link' && isRevelation(data) ? sparkOf(link_code, known) : undefined;
  const sparkId = op.name === 'sparks.read' ? spark_id : revealed;
  if (known.stateOf(sparkId) === 'spent') throw new Violation(`${sparkId} was revealed twice`);
}

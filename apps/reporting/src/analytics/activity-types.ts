import type { ActivityEvent } from '@vaultsvc/contracts/reporting';

/** How the activity shows an entry of the ledger. */
type Presentation = Pick<ActivityEvent, 'event_type' | 'description' | 'icon'>;

/** The four types that the activity names differently than the ledger (RPT-17). */
const shownTypes: ReadonlyMap<string, string> = new Map([
  ['spark_create', 'spark_created'],
  ['vault_create', 'vault_created'],
  ['ingot_create', 'ingot_created'],
  ['ingot_update', 'ingot_updated'],
]);
const ledgerTypes = new Map([...shownTypes].map(([type, shown]) => [shown, type]));

const nouns: ReadonlyMap<string, readonly [text: string, icon: string]> = new Map([
  ['spark', ['Spark', 'spark']],
  ['sparklink', ['SparkLink', 'link']],
  ['entropy', ['Random data', 'random']],
  ['vault', ['Vault', 'vault']],
  ['dvak', ['Delegated key', 'key']],
  ['folder', ['Folder', 'folder']],
  ['ingot', ['Ingot', 'file']],
  ['structured', ['Structured ingot', 'table']],
]);

const verbs: ReadonlyMap<string, string> = new Map([
  ['create', 'created'],
  ['read', 'read'],
  ['update', 'updated'],
  ['delete', 'deleted'],
  ['expire', 'expired'],
  ['access', 'opened'],
  ['revoke', 'revoked'],
  ['generate', 'generated'],
  ['seal', 'sealed'],
  ['unseal', 'unsealed'],
  ['replace', 'replaced'],
  ['upload', 'uploaded'],
  ['upload_partial', 'partly uploaded'],
  ['download', 'downloaded'],
  ['write', 'written'],
  ['retrieve', 'retrieved as Sparks'],
]);

/** @throws Error for a type whose noun or verb has no text here: each rule of the ledger needs them */
export function presentationOf(type: string): Presentation {
  const separator = type.indexOf('_');
  const noun = nouns.get(type.slice(0, separator));
  const verb = verbs.get(type.slice(separator + 1));
  if (!noun || !verb) throw new Error(`the ledger's type ${type} has no description`);
  const [text, icon] = noun;
  return { event_type: shownTypes.get(type) ?? type, description: `${text} ${verb}`, icon };
}

/** The ledger's type of an exact `event_type`; undefined if no event is shown with it (RPT-13). */
export function ledgerTypeOf(eventType: string): string | undefined {
  return shownTypes.has(eventType) ? undefined : (ledgerTypes.get(eventType) ?? eventType);
}

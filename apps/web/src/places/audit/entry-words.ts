import type { Schema } from '@vaultsvc/client';
import { auditTexts as texts } from '../../texts/audit.js';
import { vaultActivityTexts } from '../../texts/vault-activity.js';

export type AuditEntry = Schema<'AuditEntry'>;

/** The names in an entry besides its type. */
export interface EntryFacts {
  readonly actorId: string | undefined;
  readonly vaultId: string | undefined;
  /** Fields by name, in the words of the API; nothing in the log is secret. */
  readonly others: readonly (readonly [string, string])[];
}

/** A type in words; one that is not known here, as the API names it. */
export function typeText(type: string): string {
  const known = texts.types[type] ?? vaultActivityTexts.types[type];
  if (known !== undefined) return known;
  const words = type.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The person or key by name, others by their kind. */
export function actorText({ actor_type: type, actor_display: display, details }: AuditEntry): string {
  if (display !== null) return type === 'api_key' ? texts.keyNamed(display) : display;
  return texts.kinds[String(actorOf(details)['kind'])] ?? texts.somebody;
}

export function factsOf({ details }: AuditEntry): EntryFacts {
  const { actor: _, ...fields } = details;
  const { id } = actorOf(details);
  const { vault_id: vaultId } = fields;
  return {
    actorId: typeof id === 'string' ? id : undefined,
    vaultId: typeof vaultId === 'string' ? vaultId : undefined,
    others: Object.entries(fields).map(([name, value]) => [name, valueText(value)]),
  };
}

/** Absent in entries of early releases. */
function actorOf({ actor }: AuditEntry['details']): Readonly<Record<string, unknown>> {
  return typeof actor === 'object' && actor !== null ? (actor as Record<string, unknown>) : {};
}

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

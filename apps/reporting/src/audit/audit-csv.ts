import type { Actor } from '@vaultsvc/contracts';
import type { ChainEntry, JsonObject } from '@vaultsvc/transparency';
import { csvRecord } from './csv.js';

/** The columns of an export as CSV. `actor_place` is the portal, org or team of an integration. */
const COLUMNS = [
  'seq',
  'time',
  'event_type',
  'event_id',
  'request_id',
  'actor_kind',
  'actor_id',
  'actor_app',
  'actor_place',
  'actor_person',
  'vault_id',
  'ingot_id',
  'app_slug',
  'details',
  'erased',
  'hash',
];

/** The first record: the names of the columns. */
export const auditCsvHeader = csvRecord(COLUMNS);

/** The record of an entry. Its details are JSON, without the actor; those of an erased entry are empty. */
export function auditCsvRecord({ seq, at, type, content, hash }: ChainEntry): string {
  const body = content?.body ?? {};
  const { actor, ...details } = (body['details'] ?? {}) as JsonObject;
  const { kind, id, app, portal, org, team, person } = (actor ?? {}) as unknown as Partial<Actor>;
  return csvRecord([
    String(seq),
    new Date(at).toISOString(),
    type,
    textOf(body['event_id']),
    textOf(body['request_id']),
    kind ?? '',
    id ?? textOf(body['actor_id']),
    app ?? '',
    portal ?? org ?? team ?? '',
    person ?? '',
    textOf(details['vault_id']),
    textOf(details['ingot_id']),
    textOf(body['app_slug']),
    content ? JSON.stringify(details) : '',
    content ? '' : 'true',
    hash.toString('hex'),
  ]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

import { exampleId } from '../core/example-values.js';
import { Example, exampleOf } from '../core/example.js';
import {
  Cursor,
  EpochSeconds,
  Flag,
  Int,
  JsonObject,
  ListOf,
  OneOf,
  Pattern,
  Text,
  TextList,
} from '../core/fields.js';
import { operation } from '../core/operation.js';
import { APP_SLUG } from '../integrations/app.js';
import { readErrors, VaultParams } from '../vaults/vault.js';

const LIMIT_MAX = 100;
/** Types in a filter: more than any scope has. */
const FILTER_TYPES_MAX = 64;
const TYPE = /^[A-Za-z0-9_.-]{1,64}$/;

/** Query of the lists of the audit log. */
export class AuditQuery {
  @Int({ min: 1, max: LIMIT_MAX, optional: true }) limit = 25;
  @Cursor() cursor?: string;

  @Text({
    max: FILTER_TYPES_MAX * 65,
    optional: true,
    description: 'Comma-separated types; only their entries are listed. An unknown type has none.',
  })
  event_types?: string;

  @EpochSeconds({ optional: true, description: 'Only entries from this time on.' }) from?: number;
  @EpochSeconds({ optional: true, description: 'Only entries before this time, `from` at least.' })
  to?: number;

  @Text({
    max: 64,
    optional: true,
    description:
      'Only entries of this actor, by the `id` of `details.actor`: a user, an API key, an integration, the link of a visitor, a job or a command.',
  })
  actor?: string;
}

/** An entry of the audit log (AUD-10). */
@Example({
  event_type: 'ingot_created',
  details: {
    vault_id: exampleId('vlt'),
    ingot_id: exampleId('ing'),
    actor: { kind: 'api_key', id: exampleId('key') },
  },
  actor_type: 'api_key',
  actor_display: 'Backup job',
})
export class AuditEntry {
  @Text({ max: 36, description: 'A UUID.' }) event_id: string;
  @Text({ max: 64 }) event_type: string;
  @EpochSeconds() timestamp: number;
  @JsonObject({
    bytesMax: 16_384,
    description:
      'Fields that depend on the type, and the exact `actor`: its `kind` (person, api_key, app, visitor, job or operator) and ' +
      '`id`; of an integration also `app`, its `portal`, `org` or `team`, and the `person` by the id of the provider. Entries ' +
      'of releases before this field have none.',
  })
  details: Record<string, unknown>;
  @OneOf(['user', 'api_key'], {
    nullable: true,
    description: 'null for integrations, visitors of links and jobs, whom `details.actor` names.',
  })
  actor_type: 'user' | 'api_key' | null;
  @Text({
    max: 320,
    nullable: true,
    description: 'The e-mail address of the user or the name of the API key; its id once a user is removed.',
  })
  actor_display: string | null;
}

/** An event that an integration recorded. */
@Example({
  event_type: 'secret_sent',
  details: { channel: 'general', actor: { kind: 'api_key', id: exampleId('key') } },
})
export class AppEventEntry extends AuditEntry {}

/** A page of the audit log. */
@Example({ entries: [exampleOf(AppEventEntry)] })
export class AuditPage {
  @ListOf(() => AuditEntry, { max: LIMIT_MAX }) entries: AuditEntry[];
  @Int({ min: 0 }) count: number;
  @Flag() has_more: boolean;
  @Text({ max: 2_048, optional: true }) next_cursor?: string;
}

/** A page of the log of an account, vault or ingot. */
@Example({
  entries: [exampleOf(AuditEntry)],
  event_types: ['ingot_created', 'ingot_updated', 'ingot_deleted'],
})
export class ScopedAuditPage extends AuditPage {
  @TextList({ maxItems: FILTER_TYPES_MAX, max: 64, description: 'The types that this list may contain.' })
  event_types: string[];
}

const list = { query: AuditQuery, cursor: 'next_cursor', repeatable: true } as const;

/** Lists the entries of the account, newest first. */
export const listAccountAudit = operation({
  name: 'reporting.list-account-audit',
  summary: 'Lists the audit log of the account, newest first.',
  http: { method: 'GET', path: '/v1/audit-logs', status: 200 },
  access: { credential: 'key' },
  reply: ScopedAuditPage,
  ...list,
});

/** Lists the entries of a vault, newest first. They end with the vault (AUD-13). */
export const listVaultAudit = operation({
  name: 'reporting.list-vault-audit',
  summary: 'Lists the audit log of a vault, newest first.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/audit-logs', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: VaultParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: ScopedAuditPage,
  errors: [...readErrors],
  ...list,
});

/** Path parameters of the log of an ingot. */
export class IngotAuditParams extends VaultParams {
  @Text({
    max: 65_536,
    raw: true,
    description: 'The id of the ingot, or a colon and its name. The log of a deleted ingot has its id.',
  })
  ingot_id: string;
}

/** Lists the entries of an ingot, newest first. A deleted ingot keeps its log until its vault is deleted. */
export const listIngotAudit = operation({
  name: 'reporting.list-ingot-audit',
  summary: 'Lists the audit log of an ingot, newest first.',
  http: { method: 'GET', path: '/v1/vaults/{vault_id}/ingots/{ingot_id}/audit-logs', status: 200 },
  access: { credential: 'key', vat: 'read' },
  params: IngotAuditParams,
  unknown: 'VAULT_NOT_FOUND',
  reply: ScopedAuditPage,
  errors: [...readErrors, 'INGOT_NOT_FOUND', 'INGOT_NAME_AMBIGUOUS'],
  ...list,
});

/** Path parameters of the log of an integration. */
export class AppAuditParams {
  @Pattern(APP_SLUG, { says: 'a slug of lower-case letters, digits, - and _' }) app_slug: string;
}

/** Lists the entries of an integration, newest first. */
export const listAppAudit = operation({
  name: 'reporting.list-app-audit',
  summary: 'Lists what an integration recorded, newest first.',
  http: { method: 'GET', path: '/v1/audit-logs/apps/{app_slug}', status: 200 },
  access: { credential: 'key' },
  params: AppAuditParams,
  unknown: 'VALIDATION_ERROR',
  reply: AuditPage,
  errors: ['APP_NOT_FOUND'],
  ...list,
});

/** Body of `recordAppEvent`. */
@Example({ metadata: { channel: 'general' } })
export class NewAppEvent {
  @Pattern(APP_SLUG, { says: 'a slug of lower-case letters, digits, - and _' }) app_slug: string;
  @Pattern(TYPE, { says: '1 to 64 letters, digits, _, . and -' }) event_type: string;
  @JsonObject({
    bytesMax: 8_192,
    depthMax: 5,
    optional: true,
    description: 'It becomes `details`. It has no member `actor`, which names the caller there.',
  })
  metadata?: Record<string, unknown>;
}

/** Records an event of an integration (AUD-03, OPEN-65). */
export const recordAppEvent = operation({
  name: 'reporting.record-app-event',
  summary: 'Records an event of an integration in its audit log.',
  http: { method: 'POST', path: '/v1/audit-logs/apps', status: 201 },
  idempotent: { id: 'event_id' },
  access: { credential: 'key' },
  body: NewAppEvent,
  reply: AppEventEntry,
  errors: ['APP_NOT_FOUND'],
});

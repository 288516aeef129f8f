import type { Actor, Delivery, Event } from '@vaultsvc/contracts';
import * as auth from '@vaultsvc/contracts/auth';
import * as integrations from '@vaultsvc/contracts/integrations';
import * as notify from '@vaultsvc/contracts/notify';
import type { AuditType } from '@vaultsvc/contracts/reporting';
import * as sparks from '@vaultsvc/contracts/sparks';
import * as vaults from '@vaultsvc/contracts/vaults';
import type { Json } from '@vaultsvc/transparency';
import { exactActorOf } from './exact-actor.js';

/** An entry of the audit log before it has a place in its account's chain. */
export interface AuditRecord {
  readonly accountId: string;
  readonly eventId: string;
  readonly type: string;
  readonly occurredAtMs: number;
  readonly requestId: string | null;
  /** It becomes `details.actor`. */
  readonly actor: Actor;
  readonly vaultId: string | undefined;
  readonly ingotId: string | undefined;
  readonly appId: string | undefined;
  /** Nothing secret: readers of a log are not the owners of what it names. */
  readonly details: Details;
  /** The code of a link that opens nothing any more, by the id of the link. It is kept beside the chain (LNK-22). */
  readonly linkCode: { readonly linkId: string; readonly code: string } | undefined;
}

export type Details = Readonly<Record<string, Json>>;

/** The fields of any payload that every entry treats alike. */
interface Payload extends Record<string, Json | undefined> {
  readonly account_id: string;
}

/** How an event becomes an entry: its type, and the fields of its payload that are details. */
interface Rule {
  readonly type: AuditType;
  readonly details: readonly string[];
  /** Further fields, which are details of the payloads that have them: older publishers do not. */
  readonly given?: readonly string[];
  /** The payload's field with the actor, where it is not `actor_id`: a user, or the link of a visitor. */
  readonly actor?: 'user_id' | 'link_id';
  /** The entry is of links of ingots only. */
  readonly ofIngotsOnly?: true;
  /** The entry is of payloads with this field, or without it. */
  readonly with?: string;
  readonly without?: string;
  /** The entry is of this action of a recipient only. */
  readonly ofAction?: sparks.InteractionAction;
}

const LINK = ['link_id', 'link_type', 'asset_id'];
const INTERACTION = ['link_id', 'send_id', 'action', 'verification_level', 'verified_by', 'receipt_id'];
const SESSION = ['session_id', 'client_ip', 'user_agent'];
const INGOT = ['ingot_id'];
const SHARING = ['ingot_id', 'link_id'];

const rules: ReadonlyMap<string, readonly Rule[]> = new Map([
  on(auth.accountChanged, { type: 'account_updated', details: [] }),
  on(auth.settingsChanged, { type: 'settings_updated', details: [] }),
  on(auth.apiKeyCreated, { type: 'api_key_created', details: ['api_key_id'] }),
  on(auth.apiKeyRevoked, { type: 'api_key_revoked', details: ['api_key_id'] }),
  on(
    auth.userInvited,
    { type: 'person_invited', details: ['user_id'], without: 'resent' },
    { type: 'person_invitation_resent', details: ['user_id'], with: 'resent' },
  ),
  on(auth.userJoined, { type: 'person_joined', details: ['user_id'], actor: 'user_id' }),
  on(
    auth.userChanged,
    { type: 'person_updated', details: ['user_id', 'role', 'seat'], without: 'previous_role' },
    {
      type: 'person_role_changed',
      details: ['user_id', 'role', 'previous_role', 'seat'],
      with: 'previous_role',
    },
  ),
  on(auth.userRemoved, { type: 'person_removed', details: ['user_id'] }),
  on(auth.sessionOpened, { type: 'session_opened', details: SESSION, actor: 'user_id' }),
  on(auth.sessionEnded, { type: 'session_ended', details: SESSION, actor: 'user_id' }),
  on(auth.sessionReplayed, { type: 'session_replayed', details: SESSION, actor: 'user_id' }),
  on(auth.domainClaimed, { type: 'domain_claimed', details: ['domain'] }),
  on(auth.domainReleased, { type: 'domain_released', details: ['domain'] }),
  on(auth.domainLapsed, { type: 'domain_lapsed', details: ['domain'] }),

  on(integrations.appInstalled, { type: 'app_installed', details: ['app_id'] }),
  on(integrations.appUpdated, { type: 'app_updated', details: ['app_id'] }),
  on(integrations.appUninstalled, { type: 'app_uninstalled', details: ['app_id'] }),

  on(sparks.sparkCreated, {
    type: 'spark_created',
    details: ['spark_id', 'size_bytes'],
    given: ['expires_at'],
  }),
  on(sparks.sparkRead, { type: 'spark_read', details: ['spark_id', 'size_bytes'] }),
  on(sparks.sparkDeleted, { type: 'spark_deleted', details: ['spark_id', 'size_bytes'] }),
  // The expiry itself is no act. A command of the operator that burns Sparks is one.
  on(sparks.sparkExpired, { type: 'spark_deleted', details: ['spark_id', 'size_bytes'], with: 'actor' }),

  on(sparks.entropyGenerated, {
    type: 'entropy_generated',
    details: ['reference_id', 'format', 'num_bytes', 'bytes', 'provenance'],
  }),

  on(sparks.sparklinkCreated, { type: 'sparklink_created', details: LINK, given: ['expires_at'] }),
  // Sparks applies a change of sharing, and its event is in the transaction of the change.
  on(
    sparks.sparklinkUpdated,
    { type: 'sparklink_updated', details: LINK },
    { type: 'sharing_updated', details: SHARING, ofIngotsOnly: true },
  ),
  on(sparks.sparklinkAccessed, {
    type: 'sparklink_accessed',
    details: [...LINK, 'visibility', 'verified_by', 'ip', 'user_agent'],
    actor: 'link_id',
  }),
  on(sparks.sparklinkDeleted, { type: 'sparklink_deleted', details: LINK }),
  on(sparks.sparklinkRevoked, { type: 'sparklink_revoked', details: LINK }),

  // A view writes none: the reveal has written `sparklink_accessed` already (OPEN-64).
  on(
    notify.interacted,
    { type: 'sparklink_accessed', details: INTERACTION, actor: 'link_id', ofAction: 'acknowledge' },
    { type: 'sparklink_signed', details: INTERACTION, actor: 'link_id', ofAction: 'sign' },
    { type: 'sparklink_approved', details: INTERACTION, actor: 'link_id', ofAction: 'approve' },
    { type: 'sparklink_denied', details: INTERACTION, actor: 'link_id', ofAction: 'deny' },
    { type: 'sparklink_replied', details: INTERACTION, actor: 'link_id', ofAction: 'reply' },
  ),

  on(notify.sendAccepted, { type: 'notify_sent', details: ['send_id', 'channels', 'recipient_count'] }),

  on(vaults.vaultCreated, { type: 'vault_created', details: [] }),
  on(vaults.vaultUpdated, { type: 'vault_updated', details: [] }),
  on(vaults.vaultUnsealed, { type: 'vault_unsealed', details: ['dvak_id'] }),
  on(vaults.vaultSealed, { type: 'vault_sealed', details: ['seal_epoch'] }),
  on(vaults.vaultDeleted, {
    type: 'vault_deleted',
    details: ['ingot_count', 'folder_count', 'dvak_count', 'storage_bytes'],
  }),
  on(vaults.dvakCreated, { type: 'dvak_created', details: ['dvak_id'] }),
  on(vaults.dvakRevoked, { type: 'dvak_revoked', details: ['dvak_id'] }),
  on(vaults.dvakUsed, { type: 'dvak_used', details: ['dvak_id'] }),
  on(vaults.folderCreated, { type: 'folder_created', details: ['folder_id'] }),
  on(vaults.folderChanged, { type: 'folder_updated', details: ['folder_id'] }),
  on(vaults.folderDeleted, { type: 'folder_deleted', details: ['folder_id'] }),
  on(vaults.ingotCreated, { type: 'ingot_created', details: INGOT }),
  on(vaults.ingotReplaced, { type: 'ingot_replaced', details: INGOT }),
  on(vaults.ingotUpdated, { type: 'ingot_updated', details: INGOT }),
  on(vaults.ingotDeleted, { type: 'ingot_deleted', details: INGOT }),
  on(vaults.ingotDownloaded, { type: 'ingot_downloaded', details: INGOT }),
  on(vaults.structuredCreated, { type: 'ingot_created', details: [...INGOT, 'version', 'key_count'] }),
  on(vaults.structuredOverwritten, { type: 'ingot_replaced', details: [...INGOT, 'version', 'key_count'] }),
  on(vaults.structuredUpdated, { type: 'ingot_updated', details: [...INGOT, 'version', 'key_count'] }),
  on(vaults.structuredDeleted, { type: 'ingot_deleted', details: INGOT }),
  on(vaults.structuredRetrieved, { type: 'ingot_retrieved', details: [...INGOT, 'value_count'] }),
  on(vaults.sharingEnabled, { type: 'sharing_enabled', details: SHARING }),
  on(vaults.sharingDisabled, { type: 'sharing_disabled', details: SHARING }),
]);

function on({ name }: Event, ...entries: readonly Rule[]): [string, readonly Rule[]] {
  return [name, entries];
}

/** The names of the events that the audit log records. */
export const auditedEvents: ReadonlySet<string> = new Set(rules.keys());

/** The entries that an event writes: none, one, or one of the link and one of its ingot. */
export function auditRecordsOf({ id, name, requestId, occurredAtMs, payload }: Delivery): AuditRecord[] {
  const given = payload as Payload;
  return (rules.get(name) ?? [])
    .filter(({ ofIngotsOnly }) => !ofIngotsOnly || ingotOf(given) !== undefined)
    .filter((rule) => rule.with === undefined || given[rule.with] !== undefined)
    .filter((rule) => rule.without === undefined || given[rule.without] === undefined)
    .filter(({ ofAction }) => ofAction === undefined || ofAction === given['action'])
    .map((rule) => ({
      accountId: given.account_id,
      eventId: id,
      type: rule.type,
      occurredAtMs,
      requestId,
      actor: exactActorOf(given, rule.actor ?? 'actor_id', serviceOf(name)),
      vaultId: textOf(given['vault_id']),
      ingotId: ingotOf(given),
      appId: undefined,
      details: detailsOf(given, rule),
      linkCode: linkCodeOf(given),
    }));
}

function detailsOf(payload: Payload, { details, given = [] }: Rule): Details {
  const all: Payload = { ...payload, ingot_id: ingotOf(payload) };
  const known = [...details, ...given.filter((name) => payload[name] !== undefined)];
  const names = all['vault_id'] ? ['vault_id', ...known] : known;
  return Object.fromEntries(names.map((name) => [name, all[name] ?? null]));
}

/** The ingot of the event, or the one that its link shares. */
function ingotOf(payload: Payload): string | undefined {
  return textOf(payload['link_type'] === 'ingot' ? payload['asset_id'] : payload['ingot_id']);
}

function linkCodeOf({ link_id, link_code }: Payload): AuditRecord['linkCode'] {
  return typeof link_id === 'string' && typeof link_code === 'string'
    ? { linkId: link_id, code: link_code }
    : undefined;
}

function serviceOf(event: string): string {
  return event.slice(0, event.indexOf('.'));
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

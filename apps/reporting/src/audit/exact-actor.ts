import type { AccountContext, Actor } from '@vaultsvc/contracts';
import { isAppId } from '@vaultsvc/contracts/integrations';
import type { Json } from '@vaultsvc/transparency';

/**
 * The actor of an event: `actor` as its publisher states it, or else the one whose id is in this field. An event without
 * either is of a job. Publishers of an earlier release state no `actor`: the portal and the person are unknown then, and the
 * job has the name of its service.
 */
export function exactActorOf(
  payload: Readonly<Record<string, Json | undefined>>,
  field: string,
  service: string,
): Actor {
  const { actor, actor_type, [field]: id } = payload;
  if (isActor(actor)) return actor;
  if (typeof id !== 'string') return { kind: 'job', id: service };
  if (id.startsWith('usr_')) return { kind: 'person', id };
  if (id.startsWith('key_')) return { kind: 'api_key', id };
  if (isAppId(id)) return { kind: 'app', id, app: id, person: null };
  return field === 'link_id' || actor_type === 'link'
    ? { kind: 'visitor', id }
    : { kind: 'job', id: service };
}

/** The actor of a call to reporting itself. */
export function callerOf({ credential }: Pick<AccountContext, 'credential'>): Actor {
  const { actor, userId, credentialId } = credential;
  if (actor) return actor;
  return userId === null ? { kind: 'api_key', id: credentialId } : { kind: 'person', id: userId };
}

/** `actor_type` and `actor_id` of an entry: a user or an API key that acts itself, and nobody else (OPEN-28, OPEN-65). */
export function accountActorOf({ kind, id }: Actor): {
  readonly actor_type?: 'user' | 'api_key';
  readonly actor_id?: string;
} {
  if (kind === 'person') return { actor_type: 'user', actor_id: id };
  return kind === 'api_key' ? { actor_type: 'api_key', actor_id: id } : {};
}

/** An event of this platform is signed by its service, so that a member of this name is what the service stated. */
function isActor(value: Json | undefined): value is Json & Actor {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

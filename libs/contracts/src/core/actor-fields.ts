import type { Actor } from './actor.js';
import type { AccountContext } from './context.js';

/** The fields by which events and internal operations name an actor. */
export interface ActorFields<Type = 'api_key' | 'session'> {
  actor_type: Type;
  actor_id: string;
  actor?: Actor;
}

/** The actor of a call: the user of a session, or the API key; and the integration, where one acts with that credential. */
export function actorOf({ credential }: Pick<AccountContext, 'credential'>): ActorFields {
  const { kind, userId, credentialId, actor } = credential;
  return { actor_type: kind, actor_id: userId ?? credentialId, ...(actor && { actor }) };
}

/** The actor alone, of a payload or body that names more. */
export function pickActor<T extends { actor_type: unknown; actor_id: unknown; actor?: Actor }>({
  actor_type,
  actor_id,
  actor,
}: T): Pick<T, 'actor_type' | 'actor_id' | 'actor'> {
  return { actor_type, actor_id, ...(actor && { actor }) };
}

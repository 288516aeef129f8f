import type { AccountContext } from '@vaultsvc/contracts';

/** Who acts, as events tell it: the user of a session, or the API key. */
export function actorOf({ credential }: AccountContext): {
  actor_type: 'api_key' | 'session';
  actor_id: string;
} {
  return { actor_type: credential.kind, actor_id: credential.userId ?? credential.credentialId };
}

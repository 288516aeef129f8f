import type { IngotLinkAction } from '@vaultsvc/contracts/sparks';
import type { LinkCause } from '../link/link-telling.js';

/** Who has vaults do this. */
export function causeOfAct(
  { actor_type, actor_id }: Pick<IngotLinkAction, 'actor_type' | 'actor_id'>,
  requestId: string,
): LinkCause {
  return { actor: { actor_type, actor_id }, requestId };
}

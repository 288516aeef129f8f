import type { IngotLinkAct } from '@vaultsvc/contracts/sparks';
import type { EndedBy } from '../link/link-endings.js';

/** Who has vaults do this, as events tell it. */
export function byOf(
  { actor_type, actor_id }: Pick<IngotLinkAct, 'actor_type' | 'actor_id'>,
  requestId: string,
): EndedBy {
  return { actor: { actor_type, actor_id }, requestId };
}

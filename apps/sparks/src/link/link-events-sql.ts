import type { AccountContext, Event } from '@vaultsvc/contracts';
import type { LinkAction, IngotLinkAction } from '@vaultsvc/contracts/sparks';
import { actorOf } from '../call-context.js';

/** Who did something to a link, as events tell it. */
export type LinkActor = Pick<LinkAction, 'actor_type' | 'actor_id'>;

/** Nobody asked for it: the link went with its asset. */
export const SYSTEM: LinkActor = { actor_type: 'system', actor_id: null };

/** Whose wish a change of links is, and in which request. */
export interface LinkCause {
  readonly actor: LinkActor;
  readonly requestId: string | null;
}

/** Of a call to the API. */
export function causeOfCall(context: AccountContext): LinkCause {
  return { actor: actorOf(context), requestId: context.requestId };
}

/** The values of the placeholders `request` and `actor` of `insertLinkEvents`. */
export function linkEventValues({ requestId, actor }: LinkCause): [request: string | null, actor: string] {
  return [requestId, JSON.stringify(actor)];
}

/** The columns of `sparklinks` that an event is made of: what `insertLinkEvents` reads. */
export const LINK_EVENT_COLUMNS = 'id, account_id, link_type, asset_id, vault_id';

/**
 * SQL that records one event for each row of `source`, in the statement that changed the row: an action is told exactly
 * once, or did not happen (LNK-20). `request` and `actor` are the placeholders of `linkEventValues`.
 */
export function insertLinkEvents(
  event: Event<LinkAction>,
  source: string,
  request: string,
  actor: string,
): string {
  return `
  INSERT INTO outbox (name, account_id, request_id, payload)
  SELECT '${event.name}', account_id, ${request},
         ${actor}::jsonb || jsonb_build_object('account_id', account_id, 'link_id', id, 'link_type', link_type, 'asset_id', asset_id, 'vault_id', vault_id)
    FROM ${source}`;
}

/** Who has vaults do this. */
export function causeOfAction(
  { actor_type, actor_id }: Pick<IngotLinkAction, 'actor_type' | 'actor_id'>,
  requestId: string,
): LinkCause {
  return { actor: { actor_type, actor_id }, requestId };
}

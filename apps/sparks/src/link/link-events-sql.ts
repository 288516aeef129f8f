import { actorOf, pickActor, type AccountContext, type Actor, type Event } from '@vaultsvc/contracts';
import { sparklinkCreated, type IngotLinkAction, type LinkAction } from '@vaultsvc/contracts/sparks';

/** The actor of a link event. */
export type LinkActor = Pick<LinkAction, 'actor_type' | 'actor_id' | 'actor'>;

/** An actor without an account, by its exact name: a job, or a command of the operator. */
export function systemActor(actor: Actor): LinkActor {
  return { actor_type: 'system', actor_id: null, actor };
}

/** The actor of a link that ends with its asset. */
export const SYSTEM: LinkActor = systemActor({ kind: 'job', id: 'end-links' });

/** The actor and the request that a link event names as its cause. */
export interface LinkCause {
  readonly actor: LinkActor;
  readonly requestId: string | null;
}

/** The cause of a change that a call to the API makes. */
export function causeOfCall(context: AccountContext): LinkCause {
  return { actor: actorOf(context), requestId: context.requestId };
}

/** The cause of a change that vaults asks for: the actor of the call to vaults. */
export function causeOfAction(
  action: Pick<IngotLinkAction, 'actor_type' | 'actor_id' | 'actor'>,
  requestId: string,
): LinkCause {
  return { actor: pickActor(action), requestId };
}

/** The columns of `sparklinks` that `insertLinkEvents` reads. */
export const LINK_EVENT_COLUMNS = 'id, account_id, link_type, asset_id, vault_id, expires_at';

/** The values of the placeholders `request` and `actor` of `insertLinkEvents`. */
export function linkEventValues({ requestId, actor }: LinkCause): [request: string | null, actor: string] {
  return [requestId, JSON.stringify(actor)];
}

/** The member of a new link that its history needs; null for a durable link. */
const EXPIRY = `, 'expires_at', floor(extract(epoch FROM expires_at))::bigint`;

/**
 * SQL that inserts one outbox event for each row of `source`. It is part of the statement that changes the rows, so a
 * change and its event commit together, exactly once (LNK-20). `request` and `actor` are the placeholders of
 * `linkEventValues`. The statement that ends links has a third one, `codes`, for their `EndingCodes`.
 */
export function insertLinkEvents(
  event: Event<LinkAction>,
  source: string,
  request: string,
  actor: string,
  codes?: string,
): string {
  const expiry = event.name === sparklinkCreated.name ? EXPIRY : '';
  const code =
    codes && ` || jsonb_strip_nulls(jsonb_build_object('link_code', ${codes}::jsonb ->> id::text))`;
  return `
  INSERT INTO outbox (name, account_id, request_id, payload)
  SELECT '${event.name}', account_id, ${request},
         ${actor}::jsonb || jsonb_build_object('account_id', account_id, 'link_id', id, 'link_type', link_type, 'asset_id', asset_id, 'vault_id', vault_id${expiry})${code ?? ''}
    FROM ${source}`;
}

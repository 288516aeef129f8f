import { listAt, textAt, type ChatContext } from '@vaultsvc/contracts';
import type { ChatPerson } from './chat-usage.repository.js';
import { fields, SEND_MODAL, VIEW_ACTION } from './chat-views.js';

/** A submitted modal of /secret. */
export interface Submission {
  readonly kind: 'submission';
  readonly teamId: string;
  readonly person: ChatPerson;
  readonly secret: string;
  readonly conversation: string;
  /** The chosen minutes; empty for the default. */
  readonly expiry: string;
}

/** A confirmed View & Destroy. */
export interface ViewRequest {
  readonly kind: 'view';
  readonly teamId: string;
  readonly person: ChatPerson;
  readonly sparkId: string;
  readonly channelId: string;
  readonly messageTs: string;
  readonly triggerId: string;
}

/** The interaction of a payload; undefined for one that needs no action. */
export function readInteraction({
  content: json,
  teamId,
}: ChatContext): Submission | ViewRequest | undefined {
  const common = { teamId, person: personOf(json) };
  if (json['type'] === 'view_submission' && textAt(json, 'view', 'callback_id') === SEND_MODAL)
    return { kind: 'submission', ...common, ...valuesOf(json) };
  const [action] = listAt(json, 'actions');
  if (json['type'] !== 'block_actions' || textAt(action, 'action_id') !== VIEW_ACTION) return undefined;
  return {
    kind: 'view',
    ...common,
    sparkId: textAt(action, 'value'),
    channelId: textAt(json, 'channel', 'id') || textAt(json, 'container', 'channel_id'),
    messageTs: textAt(json, 'message', 'ts') || textAt(json, 'container', 'message_ts'),
    triggerId: textAt(json, 'trigger_id'),
  };
}

function personOf(json: unknown): ChatPerson {
  const id = textAt(json, 'user', 'id');
  return { id, name: textAt(json, 'user', 'name') || textAt(json, 'user', 'username') || id };
}

function valuesOf(json: unknown): Pick<Submission, 'secret' | 'conversation' | 'expiry'> {
  const at = ({ block, action }: { block: string; action: string }, ...rest: string[]) =>
    textAt(json, 'view', 'state', 'values', block, action, ...rest);
  return {
    secret: at(fields.secret, 'value'),
    conversation: at(fields.recipient, 'selected_conversation'),
    expiry: at(fields.expiry, 'selected_option', 'value'),
  };
}

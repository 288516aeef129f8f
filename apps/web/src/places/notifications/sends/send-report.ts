import type { Client, Schema } from '@vaultsvc/client';
import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../session/session-context.js';
import { notifyKeys } from '../shared/notify-keys.js';

type Report = Schema<'SendReport'>;
export type Delivery = Schema<'DeliveryReport'>;

/** A recipient without the link, which opens the content: queries keep no secrets. */
export interface RecipientState extends Omit<Schema<'RecipientReport'>, 'link_url'> {
  readonly hasLink: boolean;
}

export interface SendState extends Omit<Report, 'recipient_states'> {
  readonly recipients_of: readonly RecipientState[];
}

function withoutLinks({ recipient_states: states, ...send }: Report): SendState {
  const recipients = states.map(({ link_url: link, ...state }) => ({ ...state, hasLink: link !== null }));
  return { ...send, recipients_of: recipients };
}

const SOON_MS = 3_000;
const LATER_MS = 15_000;

/** Milliseconds between two reads: short while messages are on their way, longer while links wait to be opened, none afterwards. */
export function refreshMs(send: SendState | undefined): number | false {
  if (!send) return false;
  const isMoving = send.recipients_of.some(({ deliveries }) =>
    deliveries.some(({ state }) => state === 'queued'),
  );
  if (isMoving || send.status === 'pending' || send.status === 'delivering') return SOON_MS;
  const isAwaited = send.recipients_of.some(
    ({ grant, actions }) => grant === 'active' || (grant === 'consumed' && actions.length < 2),
  );
  return isAwaited ? LATER_MS : false;
}

/** A send with its recipients, read again while something may still happen. */
export function useSend(sendId: string) {
  const client = useClient();
  return useQuery({
    queryKey: notifyKeys.send(sendId),
    queryFn: async ({ signal }) => withoutLinks(await readSend(client, sendId, signal)),
    refetchInterval: ({ state: { data } }) => refreshMs(data),
  });
}

async function readSend(client: Client, sendId: string, signal?: AbortSignal): Promise<Report> {
  const params = { path: { send_id: sendId } };
  return (await client.GET('/v1/products/notify/sends/{send_id}', { params, signal })).data;
}

/** The link of a recipient, read when it is asked for; null if it no longer opens. */
export async function readLink(client: Client, sendId: string, recipient: string): Promise<string | null> {
  const { recipient_states: states } = await readSend(client, sendId);
  return states.find((state) => state.recipient === recipient)?.link_url ?? null;
}

import {
  listReceipts,
  readSend,
  sendNotification,
  type NewSend,
  type NotifyPolicy,
  type Receipt,
} from '@vaultsvc/contracts/notify';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { newEmail } from '../sign-in.js';

/** A send whose links the sender's application shows to the recipients itself. */
export interface SentNotification {
  readonly send_id: string;
  /** The URLs of the links, in the order of the recipients. */
  readonly urls: readonly string[];
  receipts(): Promise<Receipt[]>;
}

/** Sends to the recipients, by default to a new one; with `ingot` the headers need a Vault Access Token. */
export async function sendInApp(
  client: Api,
  policy: Partial<NotifyPolicy>,
  { recipients = [newEmail()], ingot }: Partial<Pick<NewSend, 'ingot'>> & { recipients?: string[] } = {},
  headers: Record<string, string> = {},
): Promise<SentNotification> {
  const asset = ingot ? { ingot } : { content: { payload: 'the contract' } };
  const body = { recipients, policy, channels: ['in_app'], ...asset } as NewSend;
  const { send_id } = succeeded(await client.call(sendNotification, { body }, headers));
  const { recipient_states } = succeeded(await client.call(readSend, { params: { send_id } }));
  const urlOf = (recipient: string) =>
    recipient_states.find((state) => state.recipient === recipient)?.link_url ?? '';
  return {
    send_id,
    urls: recipients.map(urlOf),
    receipts: async () => succeeded(await client.call(listReceipts, { params: { send_id } })).receipts,
  };
}

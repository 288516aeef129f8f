import type { RunningService } from '@vaultsvc/service';
import { UnsubscribeLinks } from '../../../apps/notify/src/recipients/unsubscribe-links.js';

/** The token of the link that ends all mails of an account to an address. */
export async function unsubscribeTokenOf(
  notify: RunningService,
  accountId: string,
  email: string,
): Promise<string> {
  const subscribed = { accountId, directoryKey: `email:${email}`, category: null };
  const url = await notify.context.get(UnsubscribeLinks).urlOf(subscribed);
  return new URL(url).searchParams.get('token') as string;
}

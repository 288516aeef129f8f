import type { RunningService } from '@vaultsvc/service';
import { UnsubscribeLinks } from '../../../apps/notify/src/recipients/unsubscribe/unsubscribe-links.js';

/** The token of the link that ends the mails of an account to an address, of one category or all. */
export function unsubscribeTokenOf(
  notify: RunningService,
  accountId: string,
  email: string,
  category: string | null = null,
): Promise<string> {
  const subscribed = { accountId, directoryKey: `email:${email}`, category };
  return notify.context.get(UnsubscribeLinks).tokenOf(subscribed);
}

import type { RunningService } from '@vaultsvc/service';
import { SuppressionRepository } from '../../../apps/notify/src/suppressions/suppression.repository.js';

/** Suppresses an address for an account, as a refusal of its mail server does. Returns the id of the suppression. */
export async function suppressedAddress(
  notify: RunningService,
  accountId: string,
  email: string,
): Promise<string> {
  const suppressions = notify.context.get(SuppressionRepository);
  await suppressions.add(accountId, email, 'EENVELOPE 550 5.1.1');
  const { rows } = await suppressions.list(accountId, 100, undefined);
  const own = rows.find(({ address }) => address === email);
  if (!own) throw new Error('the address is not suppressed');
  return own.suppression_id;
}

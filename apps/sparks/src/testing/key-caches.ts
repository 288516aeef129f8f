import { DataKeys } from '@vaultsvc/crypto/data-keys';
import type { RunningService } from '@vaultsvc/service';
import { KeysDatabase } from '../epoch-keys/epoch-keys.providers.js';

/** For specs: wipes the plaintext keys in memory, as happens every 5 minutes. */
export function emptyKeyCaches({ context }: Pick<RunningService, 'context'>): void {
  for (const keys of [context.get(DataKeys), context.get(KeysDatabase).keys]) keys.close();
}

import { DataKeys } from '@vaultsvc/crypto/data-keys';
import type { RunningService } from '@vaultsvc/service';

/** For specs: wipes the plaintext keys in memory, as happens every 5 minutes. */
export function emptyKeyCaches({ context }: Pick<RunningService, 'context'>): void {
  context.get(DataKeys).close();
}

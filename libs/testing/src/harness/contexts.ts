import type { AccountContext, AccountCredential } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';

/** Epoch milliseconds some seconds from now, as the gateway would set a call's deadline. */
export function deadlineIn(seconds: number): number {
  return Date.now() + seconds * 1_000;
}

/**
 * The context of an API key of a fresh account, or of whatever the overrides say. A spec may call with it for as long as
 * it runs: whoever reads the deadline has ten seconds from then on, as the gateway gives them to each call.
 */
export function accountContext(
  credential: Partial<AccountCredential> = {},
  rest: Partial<AccountContext> = {},
): AccountContext {
  return {
    requestId: newId('req_'),
    clientIp: '127.0.0.1',
    get deadlineMs() {
      return deadlineIn(10);
    },
    pools: { plan: 'active', exhausted: [] },
    requestBytes: 100,
    credential: {
      kind: 'api_key',
      accountId: newId('acc_'),
      userId: null,
      credentialId: newId('key_'),
      role: 'admin',
      seat: 'full',
      ...credential,
    },
    ...rest,
  };
}

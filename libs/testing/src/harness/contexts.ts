import type { AccountContext, AccountCredential } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';

/** The deadline of a call that starts now, in epoch milliseconds. */
export function deadlineIn(seconds: number): number {
  return Date.now() + seconds * 1_000;
}

/**
 * The context of a call with an API key of a fresh account. Its deadline is ten seconds after each reading, as the gateway
 * sets it for each call, so a spec may keep one context for all of its calls.
 * @param credential overrides parts of the credential
 * @param rest overrides parts of the context
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

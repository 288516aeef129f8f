import {
  serviceContext,
  type AccountContext,
  type AccountCredential,
  type CallContext,
} from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { testShard } from './test-shard.js';

/** A spec shares its processors with a whole suite, so a call that answers at last has not failed. */
const PATIENCE_SECONDS = 60;

/** The deadline of a call that starts now, in epoch milliseconds. */
export function deadlineIn(seconds: number): number {
  return Date.now() + seconds * 1_000;
}

/** The context of a call that a service makes. Its deadline is a minute after each reading, so a spec may keep it. */
export function internalContext(requestId: string = newId('req_')): CallContext {
  const { credential, clientIp } = serviceContext({ requestId });
  return {
    requestId,
    credential,
    clientIp,
    get deadlineMs() {
      return deadlineIn(PATIENCE_SECONDS);
    },
  };
}

/**
 * The context of a call with an API key of a fresh account. Its deadline is half a minute after each reading, so a spec may
 * keep one context for all of its calls.
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
      return deadlineIn(30);
    },
    pools: { plan: 'active', exhausted: [] },
    requestBytes: 100,
    credential: {
      kind: 'api_key',
      accountId: newId('acc_', testShard),
      userId: null,
      credentialId: newId('key_'),
      role: 'admin',
      seat: 'full',
      ...credential,
    },
    ...rest,
  };
}

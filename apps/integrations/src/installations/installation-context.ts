import type { AccountContext, Actor } from '@vaultsvc/contracts';
import type { Installation } from './installation.repository.js';

/**
 * The context of a call that an integration makes for its account: for the one who has installed it (APP-25), in the
 * name of `actor`, whom the audit log shows. Pools are checked by the integration itself, where the call may be refused for
 * them.
 */
export function contextOf(
  { accountId, installedBy: { userId, credentialId } }: Installation,
  requestId: string,
  deadlineMs: number,
  actor: Actor,
): AccountContext {
  return {
    requestId,
    deadlineMs,
    clientIp: null,
    pools: { plan: 'active', exhausted: [] },
    requestBytes: 0,
    credential: {
      kind: userId === null ? 'api_key' : 'session',
      accountId,
      userId,
      credentialId,
      // What integrations calls needs no more, whatever the installer is: files, folders and keys of vaults, Sparks, pools.
      role: 'member',
      seat: 'full',
      actor,
    },
  };
}

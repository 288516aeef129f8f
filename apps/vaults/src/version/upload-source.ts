import { Injectable } from '@nestjs/common';
import { serviceContext, type AccountContext } from '@vaultsvc/contracts';
import { describeActor } from '@vaultsvc/contracts/auth';
import { Bus } from '@vaultsvc/messaging';

/** Who an ingot came from, for its users to read. */
@Injectable()
export class UploadSource {
  constructor(private readonly bus: Bus) {}

  /** The caller's address, or the name of its API key. Throws INTERNAL_ERROR when auth does not answer. */
  async of({ credential, requestId, deadlineMs }: AccountContext): Promise<string | null> {
    const { accountId, userId, credentialId } = credential;
    const actor =
      userId === null
        ? ({ kind: 'api_key', actor_id: credentialId } as const)
        : ({ kind: 'user', actor_id: userId } as const);
    const errand = serviceContext(requestId, deadlineMs);
    const body = { account_id: accountId, ...actor };
    return (await this.bus.call(describeActor, { body }, errand)).label;
  }
}

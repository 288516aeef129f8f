import { Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { revokeTransfers, type TransfersRevoked } from '@vaultsvc/contracts/forge';
import { Handles } from '@vaultsvc/messaging';
import { Revocations } from './revocations.js';

@Injectable()
export class RevokeTransfers {
  constructor(private readonly revocations: Revocations) {}

  @Handles(revokeTransfers)
  async handle(
    { body }: Input<typeof revokeTransfers>,
    { requestId, deadlineMs }: CallContext,
  ): Promise<TransfersRevoked> {
    return { count: await this.revocations.end(body, { requestId, deadlineMs }) };
  }
}

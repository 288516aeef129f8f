import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { revokeTransfers, type TransfersRevoked } from '@vaultsvc/contracts/forge';
import { Handles } from '@vaultsvc/messaging';
import { TransferRevoker } from './transfer-revoker.js';

@Controller()
export class RevokeTransfers {
  constructor(private readonly revoker: TransferRevoker) {}

  @Handles(revokeTransfers)
  async handle(
    { body }: Input<typeof revokeTransfers>,
    { requestId, deadlineMs }: CallContext,
  ): Promise<TransfersRevoked> {
    return { count: await this.revoker.revoke(body, { requestId, deadlineMs }) };
  }
}

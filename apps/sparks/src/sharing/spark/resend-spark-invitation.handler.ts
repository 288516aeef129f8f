import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { resendSparkInvitation, type ResentSparkInvitation } from '@vaultsvc/contracts/sparks';
import { retryOnConflict } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { SparkInvitationRepository } from './spark-invitation.repository.js';
import { SparkShareRepository } from './spark-share.repository.js';

@Controller()
export class ResendSparkInvitation {
  constructor(
    private readonly shares: SparkShareRepository,
    private readonly invitations: SparkInvitationRepository,
  ) {}

  @Handles(resendSparkInvitation)
  async handle(
    { params: { spark_id } }: Input<typeof resendSparkInvitation>,
    { credential: { accountId }, requestId }: AccountContext,
  ): Promise<ResentSparkInvitation> {
    const sent_at = await retryOnConflict(async () => {
      await this.shares.assertShareable(spark_id, accountId);
      return this.invitations.resend(await this.invitations.find(spark_id, accountId), requestId);
    });
    return { spark_id, resent: true, sent_at };
  }
}

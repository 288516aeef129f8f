import { Controller } from '@nestjs/common';
import { AppError, type Input } from '@vaultsvc/contracts';
import { joinKindling, type JoinedKindling } from '@vaultsvc/contracts/sparks';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { KindlingRepository } from './kindling.repository.js';

@Controller()
export class JoinKindling {
  constructor(private readonly kindlings: KindlingRepository) {}

  @Handles(joinKindling)
  async handle({ body }: Input<typeof joinKindling>): Promise<JoinedKindling> {
    const exists = await this.kindlings.join(body.kindling, shardOf(body.account_id));
    if (!exists) throw new AppError('KINDLING_NOT_FOUND');
    return {};
  }
}

import { Inject, Injectable } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { withdrawSparks, type WithdrawnSparks } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { WithdrawalRepository } from './withdrawal.repository.js';

@Injectable()
export class WithdrawSparks {
  constructor(@Inject(WithdrawalRepository) private readonly withdrawals: WithdrawalRepository) {}

  @Handles(withdrawSparks)
  async handle({ body }: Input<typeof withdrawSparks>, { requestId }: CallContext): Promise<WithdrawnSparks> {
    await this.withdrawals.withdraw(body, requestId);
    return {};
  }
}

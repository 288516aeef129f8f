import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { deleteSuppression } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { SuppressionRepository } from './suppression.repository.js';

@Controller()
export class DeleteSuppression {
  constructor(private readonly suppressions: SuppressionRepository) {}

  @Handles(deleteSuppression)
  async handle({ params }: Input<typeof deleteSuppression>, { credential }: AccountContext): Promise<void> {
    const isDeleted = await this.suppressions.delete(credential.accountId, params.suppression_id);
    if (!isDeleted) throw new AppError('SUPPRESSION_NOT_FOUND');
  }
}

import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { deleteSpark } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparkRemovalRepository } from './spark-removal.repository.js';

@Controller()
export class DeleteSpark {
  constructor(private readonly removals: SparkRemovalRepository) {}

  @Handles(deleteSpark)
  async handle({ params }: Input<typeof deleteSpark>, context: AccountContext): Promise<void> {
    await this.removals.remove(params.spark_id, context);
  }
}

import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listSuppressions, type SuppressionList } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { SuppressionRepository } from './suppression.repository.js';

@Controller()
export class ListSuppressions {
  constructor(private readonly suppressions: SuppressionRepository) {}

  @Handles(listSuppressions)
  async handle(
    { query }: Input<typeof listSuppressions>,
    { credential }: AccountContext,
  ): Promise<SuppressionList> {
    const { rows, ...page } = await this.suppressions.list(credential.accountId, query.limit, query.cursor);
    return { suppressions: [...rows], ...page };
  }
}

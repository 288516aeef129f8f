import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { unshareSpark, type UnsharedSpark } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { LinkTerminationRepository } from '../../link/link-termination.repository.js';
import { causeOfCall } from '../../link/link-events-sql.js';
import { SparkShareRepository } from './spark-share.repository.js';

@Controller()
export class UnshareSpark {
  constructor(
    private readonly shares: SparkShareRepository,
    private readonly terminations: LinkTerminationRepository,
    private readonly database: Database,
  ) {}

  @Handles(unshareSpark)
  async handle({ params }: Input<typeof unshareSpark>, context: AccountContext): Promise<UnsharedSpark> {
    const { accountId } = context.credential;
    await this.shares.assertOwn(params.spark_id, accountId);
    const links = { assetId: params.spark_id, accountId };
    const codes = await this.terminations.codesOf(links);
    await this.terminations.unshare(this.database, links, codes, causeOfCall(context));
    return { shared: false, message: 'This Spark is not shared. The Spark itself is kept.' };
  }
}

import { Controller } from '@nestjs/common';
import { AppError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { describeShare, type DescribedFile } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkOpener } from './link-opener.js';
import { shareVisit } from './share-visit.js';

@Controller()
export class DescribeShare {
  constructor(private readonly opener: LinkOpener) {}

  @Handles(describeShare)
  async handle({ params }: Input<typeof describeShare>, context: AccountContext): Promise<DescribedFile> {
    const body = { describe: true, confirmed: false };
    const { name, size_bytes, shared_by } = await this.opener.open(params.code, body, shareVisit(context));
    if (name === undefined || size_bytes === undefined) throw new AppError('LINK_NOT_FOUND');
    return { name, size_bytes, ...(shared_by !== undefined && { shared_by }) };
  }
}

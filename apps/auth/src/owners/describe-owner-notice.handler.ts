import { Controller } from '@nestjs/common';
import { AppError, type Input } from '@vaultsvc/contracts';
import { describeOwnerNotice, type OwnerNotice } from '@vaultsvc/contracts/auth';
import { Handles } from '@vaultsvc/messaging';
import { OwnerNotices } from './owner-notices.js';

@Controller()
export class DescribeOwnerNotice {
  constructor(private readonly notices: OwnerNotices) {}

  @Handles(describeOwnerNotice)
  async handle({ body }: Input<typeof describeOwnerNotice>): Promise<OwnerNotice> {
    const notice = await this.notices.describe(body.notice_id);
    if (!notice) throw new AppError('USER_NOT_FOUND');
    return notice;
  }
}

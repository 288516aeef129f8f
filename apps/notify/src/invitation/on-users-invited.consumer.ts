import { Inject, Injectable } from '@nestjs/common';
import type { Delivery } from '@vaultsvc/contracts';
import { userInvited, type UserInvited } from '@vaultsvc/contracts/auth';
import type { Transaction } from '@vaultsvc/database';
import { Consumes } from '@vaultsvc/messaging';
import { MailRepository } from '../mails/mail.repository.js';
import { SendMails } from '../mails/send-mails.job.js';

/** Whoever is invited gets a mail: one per event. */
@Injectable()
export class OnUsersInvited {
  constructor(
    @Inject(MailRepository) private readonly mails: MailRepository,
    @Inject(SendMails) private readonly sending: SendMails,
  ) {}

  @Consumes(userInvited)
  async apply(deliveries: readonly Delivery<UserInvited>[], tx: Transaction): Promise<void> {
    await this.mails.add(tx, deliveries.map(mailFor));
    tx.afterCommit(async () => this.sending.wake());
  }
}

function mailFor({ id, requestId, payload }: Delivery<UserInvited>) {
  const { user_id: subjectId, account_id: accountId } = payload;
  return { id, kind: 'invitation', subjectId, accountId, requestId } as const;
}

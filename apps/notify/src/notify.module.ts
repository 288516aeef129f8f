import { Module } from '@nestjs/common';
import { scheduled } from '@vaultsvc/service';
import { SmtpEmail } from './email/smtp-email.js';
import { OnUsersInvited } from './invitation/on-users-invited.consumer.js';
import { ForgetMails } from './mails/forget-mails.job.js';
import { MailComposer } from './mails/mail-composer.js';
import { MailRepository } from './mails/mail.repository.js';
import { SendMails } from './mails/send-mails.job.js';

@Module({
  providers: [MailRepository, MailComposer, SmtpEmail, SendMails, ...scheduled(ForgetMails), OnUsersInvited],
})
export class NotifyModule {}

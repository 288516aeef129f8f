import { Module } from '@nestjs/common';
import { scheduled } from '@vaultsvc/service';
import { DomainWarnings } from './domain/domain-warnings.js';
import { OnDomainsUnproven } from './domain/on-domains-unproven.consumer.js';
import { EmailChannel } from './email/email-channel.js';
import { MailComposer } from './email/mail-composer.js';
import { SmtpEmail } from './email/smtp-email.js';
import { OnUsersInvited } from './invitation/on-users-invited.consumer.js';
import { LinkMessages } from './link/link-messages.js';
import { OnMessagesOwed } from './link/on-messages-owed.consumer.js';
import { DeleteClosedMessages } from './messages/delete-closed-messages.job.js';
import { MessageRepository } from './messages/message.repository.js';
import { ReadChannel } from './messages/read-channel.handler.js';
import { SendMessages } from './messages/send-messages.job.js';
import { SmsChannel } from './sms/sms-channel.js';
import { TwilioSms } from './sms/twilio-sms.js';

@Module({
  controllers: [ReadChannel, OnUsersInvited, OnDomainsUnproven, OnMessagesOwed],
  providers: [
    MessageRepository,
    LinkMessages,
    DomainWarnings,
    MailComposer,
    SmtpEmail,
    EmailChannel,
    TwilioSms,
    SmsChannel,
    SendMessages,
    ...scheduled(DeleteClosedMessages),
  ],
})
export class NotifyModule {}

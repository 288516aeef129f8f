import { httpUrl, Secret, Setting, StatefulConfig } from '@vaultsvc/config';
import { mailFrom, smtpUrl } from './email/smtp-settings.js';
import { smsFrom, smsUrl } from './sms/sms-settings.js';

export class NotifyConfig extends StatefulConfig {
  @Setting(
    smtpUrl,
    'SMTP server, over TLS: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. Without it mails are queued.',
  )
  SMTP_URL: Secret = new Secret('');

  @Setting(mailFrom, 'Sender of every mail: Example <no-reply@example.com>. Required with SMTP_URL.')
  MAIL_FROM = '';

  @Setting(httpUrl, 'URL of the sign-in page, which invitations link to. Required with SMTP_URL.')
  SIGN_IN_URL = '';

  @Setting(
    smsUrl,
    'SMS provider: https://<account SID>:<token>@api.twilio.com. Without it text messages are queued.',
  )
  SMS_URL: Secret = new Secret('');

  @Setting(
    smsFrom,
    'Sender of every text message: a number such as +14155550100, or a messaging service MG…. Required with SMS_URL.',
  )
  SMS_FROM = '';
}

import { httpUrl, Secret, Setting, StatefulConfig } from '@vaultsvc/config';
import { mailFrom } from './email/mail-from.js';
import { smtpUrl } from './email/smtp-url.js';
import { smsFrom } from './sms/sms-from.js';
import { smsUrl } from './sms/sms-url.js';

export class NotifyConfig extends StatefulConfig {
  @Setting(
    smtpUrl,
    'SMTP server, over TLS: smtp://user:password@host:587 (STARTTLS) or smtps://…:465; none: mails wait.',
  )
  SMTP_URL: Secret = new Secret('');

  @Setting(mailFrom, 'Sender of every mail: Example <no-reply@example.com>; SMTP_URL needs it.')
  MAIL_FROM = '';

  @Setting(httpUrl, 'The page where people sign in: where an invitation leads; SMTP_URL needs it.')
  SIGN_IN_URL = '';

  @Setting(
    smsUrl,
    'Provider of texts to phones: https://<account SID>:<token>@api.twilio.com; none: texts wait.',
  )
  SMS_URL: Secret = new Secret('');

  @Setting(
    smsFrom,
    'Sender of every text: a number such as +14155550100, or a messaging service MG…; SMS_URL needs it.',
  )
  SMS_FROM = '';
}

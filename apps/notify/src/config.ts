import { httpUrl, Secret, Setting, StatefulConfig } from '@vaultsvc/config';
import { mailFrom } from './email/mail-from.js';
import { smtpUrl } from './email/smtp-url.js';

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
}

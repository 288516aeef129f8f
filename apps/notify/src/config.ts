import { httpUrl, integer, origin, protectedOrigin, Secret, Setting, togetherWith } from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';
import { mailFrom, smtpUrl } from './operator-settings/smtp-settings.js';
import { apnsKey, apnsTopic, appleId, completeApns } from './operator-settings/apns-settings.js';
import { fcmCredentials } from './operator-settings/fcm-credentials.js';
import { contentTemplate, numberSender, rcsSender } from './operator-settings/twilio-senders.js';
import { vapidPrivateKey, vapidPublicKey, vapidSubject } from './operator-settings/vapid-settings.js';
import { smsFrom, smsUrl } from './operator-settings/sms-settings.js';

export class NotifyConfig extends KmsConfig {
  @Setting(origin, 'Public origin of the API, in the unsubscribe links of mails.')
  API_ORIGIN: string;

  @Setting(
    smtpUrl,
    'SMTP server, over TLS: smtp://user:password@host:587 (STARTTLS) or smtps://…:465. Without it mails are queued.',
  )
  SMTP_URL: Secret = new Secret('');

  @Setting(mailFrom, 'Sender of every mail: Example <no-reply@example.com>. Required with SMTP_URL.')
  MAIL_FROM = '';

  @Setting(
    integer({ min: 1, max: 10_000 }),
    'Mails of notifications that one instance hands to SMTP_URL in a second, at most. Amazon SES begins with 14 for an account.',
  )
  MAIL_RATE_PER_SECOND = 14;

  @Setting(
    httpUrl,
    'URL of the sign-in page, which invitations link to, such as that of the web application: API_ORIGIN and `/app`. Required with SMTP_URL.',
  )
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

  @Setting(
    numberSender,
    'WhatsApp sender of notifications: a number such as +14155550100 at Twilio, whose account is in SMS_URL. Without it the channel whatsapp is unconfigured.',
  )
  WHATSAPP_FROM = '';

  @Setting(
    contentTemplate,
    'Approved WhatsApp template HX… of Twilio, with the variables 1 (sender and title) and 2 (link). Without it WhatsApp reaches only people who wrote in the last 24 hours.',
  )
  WHATSAPP_TEMPLATE = '';

  @Setting(
    rcsSender,
    'RCS sender of notifications: rcs:<agent> at Twilio, or a messaging service MG… that has one. Without it the channel rcs is unconfigured.',
  )
  RCS_FROM = '';

  @Setting(
    numberSender,
    'Caller of notifications by voice: a number at Twilio, whose account is in SMS_URL. Without it the channel voice is unconfigured.',
  )
  VOICE_FROM = '';

  @Setting(
    fcmCredentials,
    'Service account of Firebase as JSON, for push notifications to Android. Without it and APNS_KEY the channel push is unconfigured.',
  )
  FCM_CREDENTIALS: Secret = new Secret('');

  @Setting(protectedOrigin, 'Origin of Firebase Cloud Messaging.')
  FCM_URL = 'https://fcm.googleapis.com';

  @Setting(
    apnsKey,
    'Content of the p8 file that signs tokens of APNs, for push notifications to iOS; line breaks may be written as \\n.',
    completeApns,
  )
  APNS_KEY: Secret = new Secret('');

  @Setting(appleId, 'Key id of APNS_KEY.')
  APNS_KEY_ID = '';

  @Setting(appleId, 'Team id of the Apple developer account.')
  APNS_TEAM_ID = '';

  @Setting(apnsTopic, 'Bundle id of the app that receives push notifications.')
  APNS_TOPIC = '';

  @Setting(protectedOrigin, 'Origin of APNs; https://api.sandbox.push.apple.com for apps in development.')
  APNS_URL = 'https://api.push.apple.com';

  @Setting(
    vapidPublicKey,
    'VAPID public key in base64url, with which browsers subscribe to web push. Without it the channel web_push is unconfigured.',
  )
  VAPID_PUBLIC_KEY = '';

  @Setting(
    vapidPrivateKey,
    'VAPID private key in base64url (npx web-push generate-vapid-keys).',
    togetherWith('VAPID_PUBLIC_KEY'),
  )
  VAPID_PRIVATE_KEY: Secret = new Secret('');

  @Setting(
    vapidSubject,
    'Contact of the operator for push services: mailto:admin@example.com or an https URL. Required with VAPID_PUBLIC_KEY.',
  )
  VAPID_SUBJECT = '';
}

import { expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { notifyChannels } from '@vaultsvc/contracts/notify';
import { NotifyConfig } from '../config.js';
import { SmtpEmail } from '../email/smtp-email.js';
import { TwilioSms } from '../sms/twilio-sms.js';
import { notificationProviders, NotificationProviders } from './notification-providers.js';

class ProvidersModule {}

it('NTF-13 NTF-43: every channel but in_app and websocket has a provider, which names its missing settings', async () => {
  const config = { provide: NotifyConfig, useValue: new NotifyConfig() };
  const context = await NestFactory.createApplicationContext(
    { module: ProvidersModule, providers: [...notificationProviders, SmtpEmail, TwilioSms, config] },
    { logger: false },
  );
  const providers = context.get(NotificationProviders);
  const without = notifyChannels.filter((channel) => providers.of(channel) === undefined);
  expect(without).toEqual(['in_app', 'websocket']);
  const unconfigured = providers.all.filter((provider) => provider.missingSettings().length > 0);
  expect(unconfigured.map(({ channel }) => channel).sort()).toEqual(
    ['email', 'push', 'rcs', 'sms', 'voice', 'web_push', 'whatsapp'].sort(),
  );
  await context.close();
});

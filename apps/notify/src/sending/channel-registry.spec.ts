import { expect, it } from '@jest/globals';
import { NestFactory } from '@nestjs/core';
import { notifyChannels } from '@vaultsvc/contracts/notify';
import { Signals } from '@vaultsvc/messaging';
import { NotifyConfig } from '../config.js';
import { SmtpEmail } from '../email/smtp-email.js';
import { FeedRepository } from '../feed/feed.repository.js';
import { ConfiguredChannels } from '../messages/configured-channels.js';
import { TwilioSms } from '../sms/twilio-sms.js';
import { ChannelRegistry } from './channel-registry.js';
import { channelProviders } from './channel.providers.js';

class ChannelsModule {}

it('NTF-13 NTF-43: every channel has a provider, which names its missing settings, and the configured ones are published', async () => {
  const config = { provide: NotifyConfig, useValue: new NotifyConfig() };
  const unused = [FeedRepository, Signals].map((provide) => ({ provide, useValue: {} }));
  const context = await NestFactory.createApplicationContext(
    { module: ChannelsModule, providers: [...channelProviders, SmtpEmail, TwilioSms, config, ...unused] },
    { logger: false },
  );
  const { channels } = context.get(ChannelRegistry);
  expect(channels.map(({ name }) => name).sort()).toEqual([...notifyChannels, 'phone'].sort());
  const configured = context.get(ConfiguredChannels);
  const isMissing = ({ name }: { name: (typeof channels)[number]['name'] }) => !configured.has(name);
  expect(
    channels
      .filter(isMissing)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(['email', 'phone', 'push', 'rcs', 'sms', 'voice', 'web_push', 'whatsapp'].sort());
  await context.close();
});

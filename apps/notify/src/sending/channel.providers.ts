import type { FactoryProvider, Provider } from '@nestjs/common';
import { ConfiguredChannels } from '../messages/configured-channels.js';
import { EmailProvider } from '../providers/email-provider.js';
import { InAppProvider } from '../providers/in-app-provider.js';
import { PushProvider } from '../providers/push/push-provider.js';
import { RcsProvider } from '../providers/phone/rcs-provider.js';
import { SlackProvider } from '../providers/slack-provider.js';
import { SmsProvider } from '../providers/phone/sms-provider.js';
import { TeamsProvider } from '../providers/teams-provider.js';
import type { NotificationProvider } from '../providers/provider.js';
import { VoiceProvider } from '../providers/phone/voice-provider.js';
import { WebPushProvider } from '../providers/push/web-push-provider.js';
import { WebhookProvider } from '../providers/webhook-provider.js';
import { WebsocketProvider } from '../providers/websocket-provider.js';
import { WhatsAppProvider } from '../providers/phone/whatsapp-provider.js';
import { ChannelRegistry } from './channel-registry.js';

/** The provider of each channel. */
const providerClasses = [
  EmailProvider,
  SmsProvider,
  PushProvider,
  WebPushProvider,
  VoiceProvider,
  WhatsAppProvider,
  RcsProvider,
  WebhookProvider,
  SlackProvider,
  TeamsProvider,
  InAppProvider,
  WebsocketProvider,
];

const registry: FactoryProvider<ChannelRegistry> = {
  provide: ChannelRegistry,
  useFactory: (configured: ConfiguredChannels, ...providers: NotificationProvider[]) =>
    new ChannelRegistry(providers, configured),
  inject: [ConfiguredChannels, ...providerClasses],
};

/** For the module. They also need `SmtpEmail`, `TwilioSms`, `FeedRepository` and `Signals`. */
export const channelProviders: readonly Provider[] = [...providerClasses, ConfiguredChannels, registry];

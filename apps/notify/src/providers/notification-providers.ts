import { Injectable } from '@nestjs/common';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { EmailProvider } from './email-provider.js';
import type { NotificationProvider } from './provider.js';
import { PushProvider } from './push-provider.js';
import { RcsProvider } from './rcs-provider.js';
import { SlackProvider } from './slack-provider.js';
import { SmsProvider } from './sms-provider.js';
import { TeamsProvider } from './teams-provider.js';
import { VoiceProvider } from './voice-provider.js';
import { WebPushProvider } from './web-push-provider.js';
import { WebhookProvider } from './webhook-provider.js';
import { WhatsAppProvider } from './whatsapp-provider.js';

/**
 * The provider of each channel that leaves the platform. `in_app` and `websocket` have none: the inbox of the sender's
 * application delivers them.
 */
@Injectable()
export class NotificationProviders {
  readonly all: readonly NotificationProvider[];

  constructor(
    email: EmailProvider,
    sms: SmsProvider,
    push: PushProvider,
    webPush: WebPushProvider,
    voice: VoiceProvider,
    whatsApp: WhatsAppProvider,
    rcs: RcsProvider,
    webhook: WebhookProvider,
    slack: SlackProvider,
    teams: TeamsProvider,
  ) {
    this.all = [email, sms, push, webPush, voice, whatsApp, rcs, webhook, slack, teams];
  }

  /** Undefined for a channel without a provider. */
  of(channel: NotifyChannel): NotificationProvider | undefined {
    return this.all.find((provider) => provider.channel === channel);
  }
}

/** For the module. They also need `SmtpEmail` and `TwilioSms`. */
export const notificationProviders = [
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
  NotificationProviders,
] as const;

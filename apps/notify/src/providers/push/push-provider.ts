import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { NotifyConfig } from '../../config.js';
import { ApnsClient } from './apns-client.js';
import { FcmClient } from './fcm-client.js';
import { addressInvalid } from '../../outbound/provider-failure.js';
import type { NotificationProvider, OutgoingNotification } from '../provider.js';
import { deviceOf } from './push-content.js';
import { emptySettings } from '../../outbound/empty-settings.js';

/** Notifications to apps: by FCM to Android, by APNs to iOS. The address is the JSON `{platform, token}` of a device. */
@Injectable()
export class PushProvider implements NotificationProvider, OnApplicationShutdown {
  readonly channel = 'push';
  readonly concurrency = 20;
  /** Far below the 600,000 messages a minute of a Firebase project; Apple publishes no limit. */
  readonly ratePerSecond = 500;
  readonly #fcm: FcmClient;
  readonly #apns: ApnsClient;

  constructor(private readonly config: NotifyConfig) {
    this.#fcm = new FcmClient(config);
    this.#apns = new ApnsClient(config);
  }

  /** One platform is enough. A message to a device of the other one fails with the code `UNCONFIGURED`. */
  missingSettings(): string[] {
    const { FCM_CREDENTIALS, APNS_KEY } = this.config;
    const missing = emptySettings({ FCM_CREDENTIALS, APNS_KEY });
    return missing.length === 2 ? missing : [];
  }

  async send(notification: OutgoingNotification): Promise<string | null> {
    const { platform, token } = deviceOf(notification);
    if (typeof token !== 'string') throw addressInvalid();
    if (platform === 'ios') return this.#apns.send(token, notification);
    if (platform === 'android' || platform === 'fcm') return this.#fcm.send(token, notification);
    throw addressInvalid();
  }

  onApplicationShutdown(): void {
    this.#apns.close();
  }
}

import { Injectable } from '@nestjs/common';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { InAppProvider } from './in-app-provider.js';
import { NotificationProviders } from './notification-providers.js';
import type { NotificationProvider } from './provider.js';
import { WebsocketProvider } from './websocket-provider.js';

/** The provider of each channel. */
@Injectable()
export class ChannelRegistry {
  readonly #providers: ReadonlyMap<NotifyChannel, NotificationProvider>;

  constructor(external: NotificationProviders, inApp: InAppProvider, websocket: WebsocketProvider) {
    const all: readonly NotificationProvider[] = [...external.all, inApp, websocket];
    this.#providers = new Map(all.map((provider) => [provider.channel, provider]));
  }

  of(channel: NotifyChannel): NotificationProvider {
    const provider = this.#providers.get(channel);
    if (!provider) throw new Error(`no provider of ${channel}`);
    return provider;
  }

  get all(): readonly NotificationProvider[] {
    return [...this.#providers.values()];
  }

  /** Whether the operator has set the credentials of the channel. */
  isConfigured(channel: NotifyChannel): boolean {
    return this.of(channel).missingSettings().length === 0;
  }
}

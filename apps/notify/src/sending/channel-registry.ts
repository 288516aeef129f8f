import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { ConfiguredChannels } from '../messages/configured-channels.js';
import type { NotificationProvider } from '../providers/provider.js';
import type { Channel } from './channel.js';

/** All channels, each with its provider. The texts about links have a queue of their own, `phone`, at the provider of `sms`. */
export class ChannelRegistry {
  readonly channels: readonly Channel[];
  readonly #providers: ReadonlyMap<NotifyChannel, NotificationProvider>;

  constructor(providers: readonly NotificationProvider[], configured: ConfiguredChannels) {
    this.#providers = new Map(providers.map((provider) => [provider.channel, provider]));
    this.channels = [...providers.map(channelOf), linkTexts(this.providerOf('sms'))];
    const usable = this.channels.filter((channel) => channel.missingSettings().length === 0);
    configured.publish(usable.map(({ name }) => name));
  }

  providerOf(channel: NotifyChannel): NotificationProvider {
    const provider = this.#providers.get(channel);
    if (!provider) throw new Error(`no provider of ${channel}`);
    return provider;
  }
}

function channelOf(provider: NotificationProvider): Channel {
  const { channel: name, concurrency, ratePerSecond } = provider;
  return { name, concurrency, ratePerSecond, missingSettings: () => provider.missingSettings() };
}

function linkTexts(sms: NotificationProvider): Channel {
  return { ...channelOf(sms), name: 'phone' };
}

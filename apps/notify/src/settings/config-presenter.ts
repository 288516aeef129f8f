import { Injectable } from '@nestjs/common';
import {
  notifyChannels,
  type ChannelTargets,
  type NotifyConfigurationState,
} from '@vaultsvc/contracts/notify';
import { ConfiguredChannels } from '../messages/configured-channels.js';
import { SettingsRepository } from './settings.repository.js';
import { TargetRepository, targetChannels, type Target, type TargetChannel } from './target.repository.js';

/** The configuration of an account as it is read: without secrets. */
@Injectable()
export class ConfigPresenter {
  constructor(
    private readonly settings: SettingsRepository,
    private readonly targets: TargetRepository,
    private readonly channels: ConfiguredChannels,
  ) {}

  async present(accountId: string): Promise<NotifyConfigurationState> {
    const [{ configuration }, targets] = await Promise.all([
      this.settings.read(accountId),
      this.targets.read(accountId),
    ]);
    const isUsable = (channel: string) =>
      !(targetChannels as readonly string[]).includes(channel) || targets.has(channel as TargetChannel);
    const configured = notifyChannels.filter((channel) => this.channels.has(channel) && isUsable(channel));
    return { ...configuration, targets: shown(targets), configured_channels: configured };
  }
}

function shown(targets: ReadonlyMap<TargetChannel, Target>): ChannelTargets {
  const urls = targetChannels.map((channel) => {
    const target = targets.get(channel);
    return [channel, target ? { url: shownUrl(channel, target) } : null];
  });
  return Object.fromEntries(urls) as ChannelTargets;
}

/** The URL of a target without its secret: the path of an incoming webhook is one. */
export function shownUrl(channel: TargetChannel, { url }: Target): string {
  return channel === 'webhook' ? url : `${new URL(url).origin}/…`;
}

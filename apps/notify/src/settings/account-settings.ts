import { NotifyConfiguration, type NotifyChannel } from '@vaultsvc/contracts/notify';
import { categoryKey } from '../recipients/category-key.js';

/** The configuration of an account, with its defaults (OPEN-34). */
export class AccountSettings {
  constructor(readonly configuration: NotifyConfiguration = new NotifyConfiguration()) {}

  get delays(): readonly number[] {
    return this.configuration.delivery.escalation_delays;
  }

  get isEscalated(): boolean {
    return this.configuration.delivery.escalation_enabled;
  }

  /** The channels of a category, else the default ones (NTF-12). */
  channelsFor(category: string | null): readonly NotifyChannel[] {
    const { channel_priority: priority, default_channels } = this.configuration;
    const key = category === null ? null : categoryKey(category);
    return (key !== null && Object.hasOwn(priority, key) ? priority[key] : undefined) ?? default_channels;
  }
}

import { Injectable } from '@nestjs/common';
import type { IdentityType } from '@vaultsvc/contracts';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';

/** A queue: `phone` is of texts about links, `sms` of texts of notifications. */
export type QueueChannel = IdentityType | NotifyChannel;

/**
 * The channels whose settings the operator has set. `ChannelRegistry` publishes them while the application starts, so that those
 * who only ask need not know the providers.
 */
@Injectable()
export class ConfiguredChannels {
  #names: ReadonlySet<QueueChannel> | undefined;

  publish(names: Iterable<QueueChannel>): void {
    this.#names = new Set(names);
  }

  /** @throws before they were published: no answer is better than a wrong one */
  has(channel: QueueChannel): boolean {
    if (!this.#names) throw new Error('the configured channels are not known yet');
    return this.#names.has(channel);
  }
}

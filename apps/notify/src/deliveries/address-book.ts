import { Injectable } from '@nestjs/common';
import type { NotifyChannel, PushPlatform } from '@vaultsvc/contracts/notify';
import { PushTokenRepository } from '../push/push-token.repository.js';
import { currentKeyOf } from '../recipients/preference-keys.js';
import { FormerSecretRepository } from '../settings/former-secret.repository.js';
import { TargetRepository, type TargetChannel } from '../settings/target.repository.js';
import { SuppressionRepository } from '../suppressions/suppression.repository.js';
import type { DeliveryResult } from '../outbound/delivery-result.js';
import type { StoredNotification } from './notification.repository.js';

/** An address of a recipient on one channel. */
export interface Address {
  readonly text: string;
  /** The secret of a webhook, then those that it has replaced within a day. */
  readonly secrets?: readonly string[];
  /** Uses an address no more that the provider has declared gone. `code`: that of its refusal. */
  readonly forget?: (code: string) => Promise<void>;
}

const platforms: Readonly<Record<'push' | 'web_push', readonly PushPlatform[]>> = {
  push: ['ios', 'android', 'fcm'],
  web_push: ['web'],
};

/** Finds the addresses of a recipient: its own, its devices, or the endpoint of the account. */
@Injectable()
export class AddressBook {
  constructor(
    private readonly tokens: PushTokenRepository,
    private readonly targets: TargetRepository,
    private readonly formers: FormerSecretRepository,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /** At least one address, or the reason why there is none. */
  async of(stored: StoredNotification): Promise<readonly Address[] | DeliveryResult> {
    const { channel, email, phone } = stored;
    if (channel === 'in_app' || channel === 'websocket') return [{ text: stored.label }];
    if (channel === 'email') return this.#mailbox(stored.account_id, email);
    if (channel === 'push' || channel === 'web_push') return this.#devices(stored, channel);
    if (isTarget(channel)) return this.#target(stored, channel);
    return single(phone, 'NO_PHONE');
  }

  async #mailbox(accountId: string, email: string | null): Promise<readonly Address[] | DeliveryResult> {
    if (email === null) return { kind: 'unreachable', reason: 'NO_EMAIL' };
    if (await this.suppressions.has(accountId, email)) return { kind: 'unreachable', reason: 'SUPPRESSED' };
    return [{ text: email, forget: (code) => this.suppressions.add(accountId, email, code) }];
  }

  async #devices(
    { account_id: accountId, directory_key: key }: StoredNotification,
    channel: 'push' | 'web_push',
  ): Promise<readonly Address[] | DeliveryResult> {
    const devices = await this.tokens.devicesOf(accountId, currentKeyOf(key), platforms[channel]);
    if (devices.length === 0) return { kind: 'unreachable', reason: 'NO_DEVICE' };
    return devices.map(({ id, platform, token }) => ({
      text: channel === 'web_push' ? token : JSON.stringify({ platform, token }),
      forget: async () => void (await this.tokens.delete(accountId, id)),
    }));
  }

  async #target(
    { account_id: accountId }: StoredNotification,
    channel: TargetChannel,
  ): Promise<readonly Address[] | DeliveryResult> {
    const target = (await this.targets.read(accountId)).get(channel);
    if (!target) return { kind: 'unconfigured', reason: 'NO_TARGET' };
    const { url: text, secret } = target;
    if (secret === undefined) return [{ text }];
    return [{ text, secrets: [secret, ...(await this.formers.read(accountId))] }];
  }
}

function isTarget(channel: NotifyChannel): channel is TargetChannel {
  return channel === 'webhook' || channel === 'slack' || channel === 'teams';
}

function single(text: string | null, reason: string): readonly Address[] | DeliveryResult {
  return text === null ? { kind: 'unreachable', reason } : [{ text }];
}

import { Injectable } from '@nestjs/common';
import { Secret } from '@vaultsvc/config';
import { DeliveryFailure } from '../outbound/delivery-failure.js';
import type { DeliveryResult } from '../outbound/delivery-result.js';
import type { OutgoingNotification } from '../providers/provider.js';
import type { Address } from './address-book.js';
import type { StoredNotification } from './notification.repository.js';
import { TargetBreakers } from './target-breakers.js';
import { targetKey } from './target-key.js';

type Send = (to: Pick<OutgoingNotification, 'address' | 'secrets'>) => Promise<string | null>;
type Attempt = { readonly id: string | null } | { readonly error: unknown } | 'held';
type Target = Pick<StoredNotification, 'account_id' | 'channel'>;

/** Sends a notification to the addresses of its recipient, as far as their targets answer. */
@Injectable()
export class AddressSender {
  constructor(private readonly breakers: TargetBreakers) {}

  /** Seconds for which the notification has to wait, because no target answers; 0: it may be sent. */
  heldSeconds(stored: Target, addresses: readonly Address[]): number {
    const waits = addresses.map(({ text }) => this.breakers.waitMs(targetKey(stored, text)));
    return Math.ceil(Math.min(...waits) / 1_000);
  }

  /**
   * A recipient may have several devices; one that received the message is enough. Those whose target does not answer wait.
   * @throws DeliveryFailure
   */
  async send(stored: Target, addresses: readonly Address[], send: Send): Promise<DeliveryResult> {
    const attempts = await Promise.all(addresses.map((address) => this.#try(stored, address, send)));
    for (const attempt of attempts)
      if (attempt !== 'held' && 'id' in attempt) return { kind: 'sent', providerId: attempt.id };
    const failures = attempts.flatMap((attempt) =>
      attempt !== 'held' && 'error' in attempt ? [attempt.error] : [],
    );
    const passing = failures.find((error) => !(error instanceof DeliveryFailure && error.isFinal));
    if (passing === undefined && attempts.includes('held'))
      return held(stored, this.heldSeconds(stored, addresses));
    throw passing ?? failures[0];
  }

  async #try(stored: Target, { text: address, secrets = [], forget }: Address, send: Send): Promise<Attempt> {
    const target = targetKey(stored, address);
    if (!this.breakers.admit(target)) return 'held';
    try {
      const id = await send({ address, secrets: secrets.map((secret) => new Secret(secret)) });
      this.breakers.answered(target);
      return { id };
    } catch (error) {
      const isUnanswered = error instanceof DeliveryFailure && error.isUnanswered;
      if (isUnanswered) this.breakers.unanswered(target);
      else this.breakers.answered(target);
      if (error instanceof DeliveryFailure && error.isAddressGone) await forget?.(error.code);
      return { error };
    }
  }
}

/** A webhook of the account holds back all its messages; of browsers, others may have push services that answer. */
export function held({ channel }: Target, seconds: number): DeliveryResult {
  return {
    kind: 'postponed',
    seconds: Math.max(1, seconds),
    isAccountWide: channel !== 'push' && channel !== 'web_push',
  };
}

import { DeliveryFailure } from './delivery-failure.js';

/** Facts about a failed delivery. Absent facts are false. */
export interface FailureFacts {
  /** Whether the same message would be rejected again. */
  readonly isFinal?: boolean;
  /** Whether the whole request was sent, so that the message may be delivered. */
  readonly isAnswerLost?: boolean;
  /** The delay that the provider asked for. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the address no longer exists. */
  readonly isAddressGone?: boolean;
  /** Whether the target could not be reached, or gave no answer in time. */
  readonly isUnanswered?: boolean;
}

/** A provider did not confirm a message. Its replies may contain the address, so only their codes are kept. */
export class ProviderFailure extends DeliveryFailure {
  override readonly name = 'ProviderFailure';

  /** @param code `HTTP 400 21211`, `ECONNREFUSED` */
  constructor(code: string, facts: FailureFacts = {}) {
    const { isFinal = false, isAnswerLost = false, retryAfterMs, isAddressGone = false } = facts;
    super('a message', code, isFinal, isAnswerLost, retryAfterMs, isAddressGone, facts.isUnanswered);
  }
}

/** The settings of the channel are not set. Retried, because the operator can set them. */
export function unconfigured(): ProviderFailure {
  return new ProviderFailure('UNCONFIGURED');
}

/** The address has not the form that the channel needs. */
export function addressInvalid(): ProviderFailure {
  return new ProviderFailure('ADDRESS_INVALID', { isFinal: true });
}

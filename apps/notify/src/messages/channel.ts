import type { IdentityType } from '@vaultsvc/contracts';
import type { ClaimedMessage } from './message.repository.js';

/** A way to reach people. */
export interface Channel {
  readonly name: IdentityType;
  /** Messages that are handed over at once. */
  readonly lanesCount: number;
  /** The settings without which its messages wait. */
  missingSettings(): string[];
  /**
   * Writes a message and hands it over. False: there is nobody to write to any more, or nothing to say.
   * @throws HandoverFailure when it was not taken
   */
  deliver(message: ClaimedMessage): Promise<boolean>;
}

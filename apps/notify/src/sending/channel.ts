import type { QueueChannel } from '../messages/configured-channels.js';

/** A queue of messages, and how fast one instance sends them. */
export interface Channel {
  readonly name: QueueChannel;
  /** Messages that are sent concurrently. */
  readonly concurrency: number;
  /** Most notifications a second that one instance gives to the provider; other messages are few and go at once. */
  readonly ratePerSecond: number;
  /** Names of required settings that are not set; while there are any, messages stay queued. */
  missingSettings(): string[];
}

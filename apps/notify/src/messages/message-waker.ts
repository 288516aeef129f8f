import { Injectable } from '@nestjs/common';

/** Reports that a message may have become due, so that its queue does not wait for its next poll. */
@Injectable()
export class MessageWaker {
  readonly #listeners = new Set<() => void>();

  /** After the commit that queued or reopened a message. */
  wake(): void {
    for (const listener of this.#listeners) listener();
  }

  /** @param listener must not throw */
  onWake(listener: () => void): void {
    this.#listeners.add(listener);
  }
}

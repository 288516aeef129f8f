import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

const LAST_STEPS_MS = 1_000;

/** Registry of last steps, run when the shutdown grace period has expired and the process is about to exit. */
@Injectable()
export class ForcedShutdown {
  readonly #steps: (() => Promise<void>)[] = [];

  /** Adds a step. Steps run concurrently, while connections are still open, and have one second in all. */
  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Resolves within a second and never rejects. */
  async run(): Promise<void> {
    const steps = Promise.allSettled(this.#steps.map((step) => step()));
    await Promise.race([steps, delay(LAST_STEPS_MS)]);
  }
}

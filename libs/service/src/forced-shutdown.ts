import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';

const LAST_STEPS_MS = 1_000;

/** Where a module adds what it does when the time to finish is over and the process ends all the same. */
@Injectable()
export class ForcedShutdown {
  readonly #steps: (() => Promise<void>)[] = [];

  /** The step runs while everything still works, next to the others, and is given a second. */
  add(step: () => Promise<void>): void {
    this.#steps.push(step);
  }

  /** Takes a second at most and never fails. */
  async run(): Promise<void> {
    const steps = Promise.allSettled(this.#steps.map((step) => step()));
    await Promise.race([steps, delay(LAST_STEPS_MS)]);
  }
}

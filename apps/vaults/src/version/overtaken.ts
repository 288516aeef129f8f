import { setTimeout } from 'node:timers/promises';

/** The odds of losing them all are one in a million where each is lost as often as not. */
const ATTEMPTS_MAX = 20;

/** Times the attempts so far: those who meet again and again fall out of step. */
const PAUSE_MS = 10;

/** Another caller has changed what an attempt was built on; thrown in its transaction, which undoes it. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';

  constructor() {
    super('overtaken by a change of another caller');
  }
}

/**
 * Begins anew on what is there then, as often as somebody is faster; twenty times in a row is no race any more. What it
 * attempts gives up by itself when nobody waits for it any more.
 */
export async function untilNotOvertaken<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken) || attempts === ATTEMPTS_MAX) throw error;
    }
    await setTimeout(Math.random() * PAUSE_MS * attempts);
  }
}

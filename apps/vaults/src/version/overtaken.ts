const ATTEMPTS_MAX = 5;

/** Another caller has changed what an attempt was built on; thrown in its transaction, which undoes it. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';

  constructor() {
    super('overtaken by a change of another caller');
  }
}

/** Begins anew on what is there then, as often as somebody is faster; five times in a row is no race any more. */
export async function untilNotOvertaken<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof Overtaken) || attempts === ATTEMPTS_MAX) throw error;
    }
  }
}

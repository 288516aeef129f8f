/** Each of them means that another caller has got through. */
const TRIES_MAX = 50;

/**
 * Does what is decided by one conditional statement: read, prepare, try; and again from the start while it gives
 * undefined, because another caller came first.
 */
export async function retried<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const done = await attempt();
    if (done !== undefined) return done;
  }
  throw new Error('others came first again and again');
}

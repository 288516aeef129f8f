import { describe, expect, it } from '@jest/globals';
import { StructuredKey } from './structured-key.js';
import { blindsOf, sealValues } from './value-sealing.js';

const COUNT = 2_500;
const IN_TIME = Number.POSITIVE_INFINITY;
const key = StructuredKey.generate({ accountId: 'acc_1', vaultId: 'vlt_1', ingotId: 'ing_1' });
const names = Array.from({ length: COUNT }, (_, i) => `key-${i}`);

/** The number of event loop turns until the work is done. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, isDone] = [0, false];
  const turn = () => {
    turns += 1;
    if (!isDone) setImmediate(turn);
  };
  setImmediate(turn);
  await work().finally(() => (isDone = true));
  return turns;
}

const values = names.map(
  (name) => ({ name, contentType: 'text/plain', content: Buffer.from(name) }) as const,
);

describe('sealing thousands of values', () => {
  it('STR-03: yields to the event loop at least every 100 values', async () => {
    expect(await turnsDuring(() => sealValues(key, values, 1, IN_TIME))).toBeGreaterThanOrEqual(
      COUNT / 100 - 1,
    );
    expect(await turnsDuring(() => blindsOf(key, names, IN_TIME))).toBeGreaterThanOrEqual(COUNT / 100 - 1);
  });

  it('STR-03: runs for one ingot at a time, the smallest first, and rejects work whose deadline has passed', async () => {
    const done: string[] = [];
    const seal = (name: string, count: number, deadlineMs = IN_TIME) =>
      sealValues(key, values.slice(0, count), 1, deadlineMs).then(
        () => done.push(name),
        () => done.push(`${name} too late`),
      );
    const large = [seal('first', 1_500), seal('second', 1_500), seal('third', 1_500, Date.now() - 1)];
    await Promise.all([...large, seal('few', 200), seal('very few', 100)]);
    expect(done).toEqual(['very few', 'third too late', 'first', 'few', 'second']);
    await seal('afterwards', 200);
    expect(done.at(-1)).toBe('afterwards');
  });

  it('returns the sealed values in order, each with the blind index of its name', async () => {
    const one = [{ name: 'a', contentType: 'text/plain', content: Buffer.from('ä') }] as const;
    const [sealed] = await sealValues(key, one, 7, IN_TIME);
    expect(sealed).toMatchObject({ contentType: 'text/plain', sizeBytes: 2 });
    expect((await blindsOf(key, ['a'], IN_TIME))[0]).toEqual(sealed?.blind);
    expect(one[0].content.toString()).toBe('ä');
  });
});

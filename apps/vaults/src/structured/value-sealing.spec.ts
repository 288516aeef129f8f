import { describe, expect, it } from '@jest/globals';
import { StructuredKey } from './structured-key.js';
import { blindsOf, sealValues } from './value-sealing.js';

const COUNT = 2_500;
const key = StructuredKey.draw({ accountId: 'acc_1', vaultId: 'vlt_1', ingotId: 'ing_1' });
const names = Array.from({ length: COUNT }, (_, i) => `key-${i}`);

/** How often the process turned to something else until this was done. */
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

describe('sealing thousands of values', () => {
  it('STR-03: lets others in between, at least every 100', async () => {
    const values = names.map(
      (name) => ({ name, contentType: 'text/plain', content: Buffer.from(name) }) as const,
    );
    expect(await turnsDuring(() => sealValues(key, values, 1))).toBeGreaterThanOrEqual(COUNT / 100 - 1);
    expect(await turnsDuring(() => blindsOf(key, names))).toBeGreaterThanOrEqual(COUNT / 100 - 1);
  });

  it('gives them in their order, each found by its name', async () => {
    const values = [{ name: 'a', contentType: 'text/plain', content: Buffer.from('ä') }] as const;
    const [sealed] = await sealValues(key, values, 7);
    expect(sealed).toMatchObject({ contentType: 'text/plain', sizeBytes: 2 });
    expect((await blindsOf(key, ['a']))[0]).toEqual(sealed?.blind);
    expect(values[0].content.toString()).toBe('ä');
  });
});

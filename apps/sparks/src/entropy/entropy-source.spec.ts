import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Kms } from '@vaultsvc/crypto/kms';
import { reasonOf } from '@vaultsvc/testing/harness';
import { awsKeyOf, startKms, type TestServer } from '@vaultsvc/testing/servers';
import { uniformity } from '../testing/chi-square.js';
import { EntropySource } from './entropy-source.js';
import { formats } from './entropy-formats.js';

let server: TestServer;
let kms: Kms;
beforeAll(async () => {
  server = await startKms();
});
beforeEach(() => {
  kms = new Kms({ key: awsKeyOf(server.url, 'alias/vk-root') });
});
afterEach(async () => {
  kms.close();
  await setFault('none');
});
afterAll(() => server.stop());

/** Sets a fault of key management and returns the number of its calls since the last fault. */
async function setFault(mode: string): Promise<number> {
  const answer = await fetch(`${server.url}/_fault`, { method: 'POST', body: JSON.stringify({ mode }) });
  return ((await answer.json()) as { before: { calls: number } }).before.calls;
}

/** An EntropySource that records the bytes of its local generator. */
function watched(local: (bytes: number) => Buffer = randomBytes) {
  const localBytes: Buffer[] = [];
  const source = new EntropySource(kms, (bytes) => localBytes[localBytes.push(local(bytes)) - 1] as Buffer);
  return { localBytes, entropyDraws: source.startDraws() };
}

async function countsOf(
  entropyDraws: { draw(bytes: number): Promise<Buffer> },
  draws: number,
): Promise<number[]> {
  const counts = new Array<number>(256).fill(0);
  for (let drawn = 0; drawn < draws; drawn += 1) {
    for (const byte of await entropyDraws.draw(1_024)) counts[byte]! += 1;
  }
  return counts;
}

describe('ENT-16: EntropySource', () => {
  it('draws the same number of bytes from both sources', async () => {
    const { entropyDraws, localBytes } = watched();
    await setFault('none');
    await entropyDraws.draw(7);
    await entropyDraws.draw(1_024);
    expect(await setFault('none')).toBe(2);
    expect(localBytes.map(({ length }) => length)).toEqual([7, 1_024]);
  });

  it('returns exactly the local bytes when key management returns zeros', async () => {
    await setFault('zeros');
    const { entropyDraws } = watched((bytes) => Buffer.alloc(bytes, 0x5a));
    expect(await entropyDraws.draw(64)).toEqual(Buffer.alloc(64, 0x5a));
  });

  it('is still random when one source returns only zeros', async () => {
    const { entropyDraws: withoutLocal } = watched((bytes) => Buffer.alloc(bytes));
    expect(uniformity(await countsOf(withoutLocal, 100))).toBeGreaterThan(1e-6);
    await setFault('zeros');
    const { entropyDraws: withoutKms } = watched();
    expect(uniformity(await countsOf(withoutKms, 100))).toBeGreaterThan(1e-6);
    const { entropyDraws: withoutBoth } = watched((bytes) => Buffer.alloc(bytes));
    expect(await countsOf(withoutBoth, 1)).toEqual([1_024, ...Array<number>(255).fill(0)]);
  });

  it('records the request ids of key management in order', async () => {
    const { entropyDraws } = watched();
    await entropyDraws.draw(1);
    const [first] = entropyDraws.requestIds;
    await entropyDraws.draw(1);
    expect(entropyDraws.requestIds).toHaveLength(2);
    expect(entropyDraws.requestIds[0]).toBe(first);
    expect(new Set(entropyDraws.requestIds).size).toBe(2);
  });

  it('MISC-03: wipes the local bytes after the XOR', async () => {
    const { entropyDraws, localBytes } = watched();
    await entropyDraws.draw(32);
    expect(localBytes).toEqual([Buffer.alloc(32)]);
  });
});

describe('ENT-17 TRAP 80: EntropySource without key management', () => {
  it.each(['down', 'throttle'])(
    'throws ENTROPY_UNAVAILABLE and does not use the local source: %s',
    async (mode) => {
      await setFault(mode);
      const { entropyDraws, localBytes } = watched();
      expect(await reasonOf(entropyDraws.draw(16))).toBe('ENTROPY_UNAVAILABLE');
      expect(localBytes).toEqual([]);
      expect(entropyDraws.requestIds).toEqual([]);
    },
  );

  it('fails while key management is killed, and recovers after its restart', async () => {
    const draw = () => watched().entropyDraws.draw(16);
    await server.kill('SIGKILL');
    expect(await reasonOf(draw())).toBe('ENTROPY_UNAVAILABLE');
    await server.restart();
    let again: Buffer | undefined;
    while (!again) again = await draw().catch(() => undefined); // until the circuit closes, a second at most
    expect(again).toHaveLength(16);
  });
});

describe('ENT-11 ENT-15: short texts from key management', () => {
  // Only 300 here, because each draw is an HTTP call; sample-text.spec.ts counts the draws of 10,000.
  it('draw again after a rejection: 300 passwords have one character each', async () => {
    await setFault('none');
    const made = new Array<string>(300);
    const next = made.keys();
    const worker = async () => {
      for (const index of next) {
        const { entropyDraws } = watched();
        made[index] = (await formats.password.make(1, (bytes) => entropyDraws.draw(bytes))) as string;
      }
    };
    await Promise.all(Array.from({ length: 16 }, worker));
    expect(made.every((text) => text.length === 1)).toBe(true);
    expect(new Set(made).size).toBeGreaterThan(60); // 85 of the 88 as a rule
    const calls = await setFault('none');
    expect(calls).toBeGreaterThan(300);
    expect(calls).toBeLessThan(400); // 332 as a rule
  });
});

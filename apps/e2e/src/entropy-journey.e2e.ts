import { beforeAll, describe, expect, it } from '@jest/globals';
import { entropyFormats, generateEntropy, type EntropyFormat } from '@vaultsvc/contracts/sparks';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { found } from './people.js';
import { usedPools } from './used-pools.js';

let client: Api;
beforeAll(async () => {
  ({ client } = await found('Entropy journey'));
});

const entropyOf = (format: EntropyFormat, num_bytes: number) => ({
  format,
  num_bytes,
  with_commitment: false,
});

/** As an answer shows it, which is before it is drawn from itself. */
async function bandwidthUsed(): Promise<number> {
  return usedPools(await client.call(generateEntropy, { body: entropyOf('hex', 1) })).bandwidth;
}

describe('ENT-02 ENT-05 ENT-20: random data', () => {
  it('comes in nine formats, each under a reference of its own', async () => {
    const references = new Set<string>();
    for (const format of entropyFormats) {
      const entropy = succeeded(await client.call(generateEntropy, { body: entropyOf(format, 24) }));
      references.add(entropy.reference_id);
      expect(entropy).toMatchObject({ format, reference_id: expect.stringMatching(/^ent_[0-9A-Za-z]{22}$/) });
      expect(Array.isArray(entropy.value)).toBe(format === 'bytes');
      expect(entropy).not.toHaveProperty('opening');
    }
    expect(references.size).toBe(entropyFormats.length);
  });

  it('ENT-03: is not given for what is no number of bytes', async () => {
    for (const num_bytes of [undefined, 0, 1_025, 1.5, '16', null, true])
      expect(
        await client.send({
          method: 'POST',
          target: '/v1/entropy/generate',
          body: { format: 'uuid', num_bytes },
        }),
      ).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  it('draws bandwidth, and more of it for more', async () => {
    const drawnBy = async (num_bytes: number) => {
      const bandwidth = await bandwidthUsed();
      succeeded(await client.call(generateEntropy, { body: entropyOf('hex', num_bytes) }));
      return bandwidth + 2 * num_bytes;
    };
    const atLeast = await drawnBy(1_024);
    await eventually(bandwidthUsed, (used) => used >= atLeast);
  });
});

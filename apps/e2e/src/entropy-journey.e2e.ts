import { beforeAll, describe, expect, it } from '@jest/globals';
import { entropyFormats, generateEntropy, type EntropyFormat } from '@vaultsvc/contracts/sparks';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import { signUpOrganization } from './sign-in.js';
import { usedPools } from './used-pools.js';

let client: Api;
beforeAll(async () => {
  ({ client } = await signUpOrganization('Entropy journey'));
});

const entropyOf = (format: EntropyFormat, num_bytes: number) => ({
  format,
  num_bytes,
  with_commitment: false,
});

/** The used bandwidth in an answer, which does not include that answer itself. */
async function bandwidthUsed(): Promise<number> {
  return (await usedPools(() => client.call(generateEntropy, { body: entropyOf('hex', 1) }))).bandwidth;
}

describe('ENT-02 ENT-05 ENT-20: random data', () => {
  it('is available in nine formats, each answer with a unique reference', async () => {
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

  it('ENT-03: is refused for an invalid number of bytes', async () => {
    for (const num_bytes of [undefined, 0, 1_025, 1.5, '16', null, true])
      expect(
        await client.send({
          method: 'POST',
          target: '/v1/entropy/generate',
          body: { format: 'uuid', num_bytes },
        }),
      ).toMatchObject({ status: 400, error: { code: 'VALIDATION_ERROR' } });
  });

  it('consumes bandwidth, at least the size of the encoded data', async () => {
    const drawnBy = async (num_bytes: number) => {
      const bandwidth = await bandwidthUsed();
      succeeded(await client.call(generateEntropy, { body: entropyOf('hex', num_bytes) }));
      return bandwidth + 2 * num_bytes;
    };
    const atLeast = await drawnBy(1_024);
    await eventually(bandwidthUsed, (used) => used >= atLeast);
  });
});

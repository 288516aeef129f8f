import { beforeAll, describe, expect, it } from '@jest/globals';
import { openContent, UnknownFormat, WrongKey } from '@vaultsvc/crypto/aead';
import { unwrapKey } from '@vaultsvc/crypto/wrap';
import { accountContext } from '@vaultsvc/testing/harness';
import { SparksConfig } from '../../config.js';
import { EpochKeys } from '../../epoch-keys/epoch-keys.js';
import { usePlatform } from '../../testing/platform.js';
import { SparkSealer, type SealedSpark } from './spark-sealer.js';

const platform = usePlatform();
const caller = accountContext();
const spark = { id: 'spk_A', accountId: 'acc_A', contentType: 'text/plain', kindling: null };
const content = Buffer.from('attack at dawn');

let keys: EpochKeys;
const sealerOf = (OLDEST_RELEASE: '0.1' | '0.2') => new SparkSealer(keys, { OLDEST_RELEASE } as SparksConfig);
beforeAll(() => void (keys = platform.service.context.get(EpochKeys)));

/** The key of the hour as an instance of this process holds it. */
function epochKeyOf({ kid }: SealedSpark): Buffer {
  const copy = keys.inMemory(kid, (key) => Buffer.from(key));
  if (!copy) throw new Error(`no key ${kid}`);
  return copy;
}

describe('SPK-50: a Spark sealed while copies of 0.1 may run', () => {
  it('opens as 0.1 opens it: the key of the hour unwraps its key, which opens the content', async () => {
    const sealed = await sealerOf('0.1').seal(spark, content);
    const dek = unwrapKey(
      epochKeyOf(sealed),
      'vk/v1/epoch-key',
      ['acc_A', 'spk_A'],
      ['text/plain', ''],
      sealed.wrappedDek,
    );
    const opened = openContent(dek, 'vk/v1/spark-dek', ['acc_A', 'spk_A', 'text/plain'], sealed.ciphertext);
    expect(opened.toString()).toBe('attack at dawn');
  });

  it('is opened by instances of either setting, and so is one of 0.2', async () => {
    for (const from of ['0.1', '0.2'] as const)
      for (const to of ['0.1', '0.2'] as const) {
        const sealed = await sealerOf(from).seal(spark, content);
        expect((await sealerOf(to).open(spark, sealed)).toString()).toBe('attack at dawn');
        expect(sealerOf(to).openNow(spark, sealed)?.toString()).toBe('attack at dawn');
      }
  });
});

describe('SPK-50: a Spark in the form of 0.2', () => {
  it('takes 97 bytes more than its content, 37 of them apart, in which its half of the key is', async () => {
    const { spark_id: id } = await platform.create({ payload: 'attack at dawn' }, caller);
    const [row] = await platform.sql(
      `SELECT length(wrapped_dek) AS half, length(ciphertext) AS rest FROM sparks WHERE id = $1`,
      [id],
    );
    expect(row).toEqual({ half: 37, rest: 14 + 60 });
  });

  it('does not open with the half of another, without one, or in another row', async () => {
    const sealer = sealerOf('0.2');
    const [sealed, other] = (await sealer.sealMany([
      { spark, content },
      { spark, content },
    ])) as [SealedSpark, SealedSpark];
    await expect(sealer.open(spark, { ...sealed, wrappedDek: other.wrappedDek })).rejects.toThrow(WrongKey);
    await expect(sealer.open(spark, { ...sealed, wrappedDek: Buffer.alloc(0) })).rejects.toThrow(
      UnknownFormat,
    );
    for (const moved of [
      { accountId: 'acc_B' },
      { id: 'spk_B' },
      { contentType: 'text/html' },
      { kindling: 'kindling' },
    ])
      await expect(sealer.open({ ...spark, ...moved }, sealed)).rejects.toThrow();
  });
});

import { describe, expect, it } from '@jest/globals';
import { entropyGenerated } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { eventually } from '@vaultsvc/testing/waiting';
import { deliveryOf, exactly, linesOf, send, type Fact } from '../testing/deliveries.js';
import { usePlatform } from '../testing/platform.js';

const platform = usePlatform({ STORAGE_POOL_BYTES: '100000', BANDWIDTH_POOL_BYTES: '100000' });

const provenance = { kms_key_id: 'alias/vk-root', kms_request_ids: ['r'], generated_at: 1, commitment: null };
const fact = (account_id: string, bytes: number, actor_type: 'api_key' | 'session'): Fact => [
  entropyGenerated,
  {
    reference_id: newId('ent_'),
    account_id,
    actor_type,
    actor_id: newId('key_'),
    format: 'hex',
    num_bytes: 16,
    bytes,
    provenance,
  },
];
const drawn = (accountId: string, bytes: number) =>
  eventually(
    () => platform.sums(accountId),
    ({ bandwidth }) => bandwidth === bytes,
  );

describe('ENT-20: generated entropy', () => {
  it('draws the bytes of its call from the bandwidth pool and nothing else', async () => {
    const accountId = newId('acc_');
    await send(platform, deliveryOf(fact(accountId, 150, 'api_key')));
    expect(await drawn(accountId, 150)).toEqual(exactly(0, 0, 150));
    await platform.waitForSnapshot(accountId, ({ bandwidth }) => bandwidth.used === 150);
  });

  it('RPT-17: writes an entropy_generate line with its reference', async () => {
    const accountId = newId('acc_');
    const [first, second] = [fact(accountId, 90, 'api_key'), fact(accountId, 2_200, 'session')];
    await send(platform, deliveryOf(first), deliveryOf(second));
    await drawn(accountId, 2_290);
    const line = ([, payload]: Fact, quantity: number, actor_type: string) => ({
      type: 'entropy_generate',
      resource: 'bandwidth',
      quantity,
      unit: 'bytes',
      reference_id: (payload as { reference_id: string }).reference_id,
      vault_id: null,
      actor_type,
    });
    expect(await linesOf(platform, accountId)).toEqual([
      line(first, 90, 'api_key'),
      line(second, 2_200, 'user'),
    ]);
  });

  it('is counted once despite redeliveries', async () => {
    const accountId = newId('acc_');
    const deliveries = [1, 20, 300].map((bytes) => deliveryOf(fact(accountId, bytes, 'session')));
    for (let round = 0; round < 10; round++)
      await send(platform, ...deliveries, ...[...deliveries].reverse());
    await send(platform, deliveryOf(fact(accountId, 4_000, 'session')));
    await drawn(accountId, 4_321);
    expect(await linesOf(platform, accountId)).toHaveLength(4);
  });
});

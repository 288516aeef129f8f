import { beforeAll, describe, expect, it } from '@jest/globals';
import { STRUCTURED_BODY_BYTES_MAX, STRUCTURED_KEYS_MAX, type KeyValues } from '@vaultsvc/contracts/vaults';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture, type StructuredFixture } from '../testing/structured.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: StructuredFixture;
beforeAll(async () => {
  fixture = await newStructuredFixture(platform);
});

const NATS_MESSAGE_BYTES_MAX = 16 * 1_048_576;
const numbered = (from: number, to: number, name: (i: number) => string, value: unknown): KeyValues =>
  Object.fromEntries(Array.from({ length: to - from }, (_, i) => [name(from + i), value]));

describe('a structured ingot of 10,000 keys', () => {
  it('STR-03 STR-15: is created with one body below the size limit, listed and changed', async () => {
    const name = (i: number) => `KEY_${String(i).padStart(5, '0')}`;
    const data = numbered(0, STRUCTURED_KEYS_MAX, name, 'v'.repeat(700));
    const bodyBytes = Buffer.byteLength(JSON.stringify({ name: 'ten thousand', data }));
    expect(bodyBytes).toBeGreaterThan(0.95 * STRUCTURED_BODY_BYTES_MAX);
    expect(bodyBytes).toBeLessThan(STRUCTURED_BODY_BYTES_MAX);
    const { ingot_id, key_count } = await fixture.create(data);
    expect(key_count).toBe(STRUCTURED_KEYS_MAX);
    expect((await fixture.describe(ingot_id)).keys).toEqual(Object.keys(data));
    const change = {
      set: numbered(5_000, 10_000, name, 'new'),
      delete: Object.keys(numbered(0, 5_000, name, 0)),
    };
    expect(await fixture.patch(ingot_id, change)).toMatchObject({ version: 2, key_count: 5_000 });
    const kept = await fixture.stored(ingot_id);
    expect([kept.size, new Set(kept.values())]).toEqual([5_000, new Set(['new'])]);
    expect(await fixture.counters()).toMatchObject({ storage_bytes: 15_000 });
    await fixture.remove(ingot_id);
    expect(await fixture.rowCount()).toBe(0);
  });

  it('STR-09: is listed in one NATS message, even with the longest names', async () => {
    const suffix = (i: number) =>
      String.fromCharCode(1 + (i % 31), 1 + (Math.floor(i / 31) % 31), 1 + Math.floor(i / 961));
    const name = (i: number) => '\u0001'.repeat(253) + suffix(i);
    const { ingot_id } = await fixture.create({});
    for (let from = 0; from < STRUCTURED_KEYS_MAX; from += 2_500)
      await fixture.patch(ingot_id, { set: numbered(from, from + 2_500, name, '') });
    const { keys = [] } = await fixture.describe(ingot_id);
    expect(new Set(keys).size).toBe(STRUCTURED_KEYS_MAX);
    const bytes = Buffer.byteLength(JSON.stringify(keys));
    expect(bytes).toBeGreaterThan(15 * 1_000_000);
    expect(bytes).toBeLessThan(NATS_MESSAGE_BYTES_MAX);
  });
});

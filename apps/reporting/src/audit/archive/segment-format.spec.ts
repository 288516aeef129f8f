import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { canonicalBodyHash, canonicalJson, FIRST_PREV_HASH } from '@vaultsvc/transparency';
import type { ArchivedEntry } from './archived-entry.js';
import { DamagedSegment, decodeSegment, encodeSegment } from './segment-format.js';

const keyOf = (kid: string) => ({ kid, key: randomBytes(32) });
const [account, vault] = [keyOf('a1'), keyOf('v1')];
const range = { accountId: 'acc_1', firstSeq: 5, lastSeq: 8 };
const texts = [
  'of the account',
  'of a vault\nand a line, \u2028 and a tab\t',
  'erased before',
  'of the account again 😀',
];

const entries = texts.map((text, index): ArchivedEntry => {
  const salt = randomBytes(32);
  const body = canonicalJson({ details: { text } });
  const vaultId = index === 1 ? 'vlt_1' : null;
  const ids = { vaultId, ingotId: index === 1 ? 'ing_1' : null, appId: null, actorId: 'usr_1' };
  return {
    seq: 5 + index,
    at: 1_790_000_000_123 - index,
    type: `type_${index}`,
    bodyHash: canonicalBodyHash(salt, body),
    content: index === 2 ? undefined : { ...ids, salt, body: body.toString() },
  };
});
const content = { prevHash: FIRST_PREV_HASH, entries };
const encoded = () =>
  encodeSegment(range, content, account, (entry) => (entry.content?.vaultId ? vault : account));
const keys =
  (...known: { kid: string; key: Buffer }[]) =>
  () =>
    Promise.resolve(new Map(known.map(({ kid, key }) => [kid, key])));
const decoded = (bytes: Buffer, given = keys(account, vault), of = range) =>
  decodeSegment(of, bytes, account.key, given);

describe('AUD-14: a segment', () => {
  it('has each entry with its content, its time and the hash of its body', async () => {
    expect(await decoded(await encoded())).toEqual(content);
  });

  it('AUD-13 VLT-24: without the key of a vault has the hashes of its entries, and all other contents', async () => {
    const { entries: readable } = await decoded(await encoded(), keys(account));
    expect(readable).toEqual(
      entries.map((entry, index) => (index === 1 ? { ...entry, content: undefined } : entry)),
    );
  });

  it('is damaged with any byte changed', async () => {
    const bytes = await encoded();
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0x10;
      await expect(decoded(changed)).rejects.toBeInstanceOf(DamagedSegment);
    }
  });

  it('is damaged when it ends early, or in the place of another', async () => {
    const bytes = await encoded();
    for (const length of [0, 3, 4, 100, bytes.length - 1])
      await expect(decoded(bytes.subarray(0, length))).rejects.toBeInstanceOf(DamagedSegment);
    for (const other of [{ accountId: 'acc_2' }, { firstSeq: 4 }, { lastSeq: 9 }])
      await expect(decoded(bytes, undefined, { ...range, ...other })).rejects.toBeInstanceOf(DamagedSegment);
  });
});

import { describe, expect, it } from '@jest/globals';
import { lengthPrefixed } from '@vaultsvc/crypto/encoding';
import { createHash } from 'node:crypto';
import { accountPseudonym, bodyHash, entryHash, FIRST_PREV_HASH } from './account-chain.js';
import { canonicalJson } from './canonical-json.js';
import { decodeHead, encodeHead, endOfHourMs, hourOf } from './head-leaf.js';

const sha256 = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest();
const salt = Buffer.alloc(32, 3);
const body = { event_id: 'e-1', details: { b: 1, a: ['x', null, true] }, actor_display: 'Zoë' };
const facts = { account: 'acc_1', seq: 1, at: 1_795_330_800_123, type: 'spark_created' };

describe('The chain of an account', () => {
  it('AUD-14: has the hashes that the documentation defines', () => {
    const json = '{"actor_display":"Zoë","details":{"a":["x",null,true],"b":1},"event_id":"e-1"}';
    const ofBody = bodyHash(salt, body);
    expect(ofBody).toEqual(sha256(Buffer.of(0), salt, Buffer.from(json)));
    const covered = lengthPrefixed('acc_1', '1', '1795330800123', 'spark_created', ofBody);
    const first = entryHash(FIRST_PREV_HASH, facts, ofBody);
    expect(first).toEqual(sha256(Buffer.of(1), Buffer.alloc(32), covered));
    expect(first.toString('hex')).toBe('752efaba70cd12c8ca43910e8a8d9e9dc3bbb2fa59ecfcc04f67dc5f9b213611');
  });

  it('AUD-14: changes with every fact, the body, the salt and the entry before', () => {
    const ofBody = bodyHash(salt, body);
    const hashes = [
      entryHash(FIRST_PREV_HASH, facts, ofBody),
      entryHash(Buffer.alloc(32, 1), facts, ofBody),
      entryHash(FIRST_PREV_HASH, { ...facts, account: 'acc_2' }, ofBody),
      entryHash(FIRST_PREV_HASH, { ...facts, seq: 2 }, ofBody),
      entryHash(FIRST_PREV_HASH, { ...facts, at: facts.at + 1 }, ofBody),
      entryHash(FIRST_PREV_HASH, { ...facts, type: 'spark_read' }, ofBody),
      entryHash(FIRST_PREV_HASH, facts, bodyHash(salt, { ...body, event_id: 'e-2' })),
      entryHash(FIRST_PREV_HASH, facts, bodyHash(Buffer.alloc(32), body)),
    ].map((hash) => hash.toString('hex'));
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('AUD-14: refuses values that another implementation could encode in another way', () => {
    const ofBody = bodyHash(salt, body);
    for (const changed of [{ seq: 0 }, { seq: 1.5 }, { at: Number.NaN }, { at: 1.5 }])
      expect(() => entryHash(FIRST_PREV_HASH, { ...facts, ...changed }, ofBody)).toThrow(RangeError);
    expect(() => entryHash(Buffer.alloc(31), facts, ofBody)).toThrow(RangeError);
    expect(() => entryHash(FIRST_PREV_HASH, facts, Buffer.alloc(31))).toThrow(RangeError);
    expect(() => bodyHash(Buffer.alloc(31), body)).toThrow(new RangeError('A salt has 32 bytes'));
    expect(() => bodyHash(salt, { name: '\ud800' })).toThrow('Lone surrogate');
    expect(() => bodyHash(salt, { name: Number.NaN })).toThrow('NaN');
  });
});

describe('Canonical JSON (RFC 8785)', () => {
  it('AUD-14: is the one of the examples in the standard', () => {
    const numbers = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001],
    };
    expect(canonicalJson(numbers).toString()).toBe('{"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27]}');
    const names = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '\ud83d\ude00': 5, '\u0080': 6, '\u00f6': 7 };
    expect(canonicalJson(names).toString()).toBe('{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}');
  });

  it('AUD-14: leaves out members without a value', () => {
    expect(canonicalJson({ a: undefined, b: null }).toString()).toBe('{"b":null}');
  });
});

describe('The leaf of an hourly head', () => {
  const head = { pseudonym: 'a'.repeat(64), seq: 7, head: 'b'.repeat(64), hour: hourOf(facts.at) };

  it('AUD-14: is canonical JSON, and is read back', () => {
    const leaf = encodeHead(head);
    expect(leaf.toString()).toBe(
      `{"head":"${head.head}","hour":498703,"pseudonym":"${head.pseudonym}","seq":7,"version":1}`,
    );
    expect(decodeHead(leaf)).toEqual(head);
    expect(endOfHourMs(head.hour)).toBe(1_795_334_400_000);
  });

  it('AUD-14: has one encoding', () => {
    const text = encodeHead(head).toString();
    for (const other of [
      text.replace('"seq":7', '"seq":07'),
      text.replace('"seq":7', '"seq":0'),
      text.replace('"seq":7', '"seq":9007199254740993'),
      text.replace(':1}', ':2}'),
      text.replace(',', ', '),
      text.replace('{', '{"head":"",'),
      text.toUpperCase(),
      `${text}\n`,
      '',
    ])
      expect(decodeHead(Buffer.from(other))).toBeUndefined();
  });
});

describe('The pseudonym of an account', () => {
  it('AUD-14: is a salted hash of its id', () => {
    const expected = sha256(Buffer.of(2), salt, Buffer.from('acc_1')).toString('hex');
    expect(accountPseudonym(salt, 'acc_1')).toBe(expected);
    expect(accountPseudonym(salt, 'acc_2')).not.toBe(expected);
    expect(accountPseudonym(Buffer.alloc(32), 'acc_1')).not.toBe(expected);
    expect(() => accountPseudonym(Buffer.alloc(16), 'acc_1')).toThrow(RangeError);
  });
});

import { describe, expect, it } from '@jest/globals';
import { decodeHead, encodeHead, isHead } from './head-leaf.js';
import { decodeRestore, encodeRestore, restoreExtensions } from './restore-leaf.js';

const [HEAD, NAME] = ['a1'.repeat(32), 'b2'.repeat(32)];
const head = { pseudonym: NAME, seq: 7, head: HEAD, hour: 498_704 };
const headText = `{"head":"${HEAD}","hour":498704,"pseudonym":"${NAME}","seq":7,"version":1}`;
const restore = { from: 64, formerSize: 70, formerRoot: HEAD, restoredToMs: 1_795_334_400_000 };
const restoreText = `{"former_root":"${HEAD}","former_size":70,"from":64,"reason":"restore","restored_to":1795334400000,"version":1}`;

/** A text in which a part is another one. */
const changed = (text: string, part: string, by: string) => {
  expect(text).toContain(part);
  return Buffer.from(text.replace(part, by));
};

describe('AUD-14: the leaf of a head', () => {
  it('is the canonical JSON of its members', () => {
    expect(encodeHead(head).toString()).toBe(headText);
    expect(decodeHead(Buffer.from(headText))).toEqual(head);
    expect(decodeHead(changed(headText, '498704', '0'))).toEqual({ ...head, hour: 0 });
  });

  it.each([
    ['{"head"', ' {"head"'],
    ['"version":1}', '"version":1} '],
    ['"version":1', '"version":2'],
    ['"seq":7', '"seq":07'],
    ['"seq":7', '"seq":0'],
    ['"seq":7', '"seq":9007199254740993'],
    ['"seq":7', '"seq":-7'],
    [HEAD, 'A1'.repeat(32)],
    [HEAD, 'a1'.repeat(31)],
    [NAME, 'b2'.repeat(33)],
    ['"hour":498704,', ''],
  ])('is no other text: %s as %s', (part, by) => {
    expect(decodeHead(changed(headText, part, by))).toBeUndefined();
  });

  it('has hashes of 64 digits, a number from 1 and an hour from 0', () => {
    for (const right of [head, { ...head, seq: 1, hour: 0 }, { ...head, seq: Number.MAX_SAFE_INTEGER }])
      expect(isHead(right)).toBe(true);
    const wrong = [
      { pseudonym: `${NAME}0` },
      { pseudonym: `0${NAME}` },
      { pseudonym: NAME.toUpperCase() },
      { head: `${HEAD}0` },
      { head: HEAD.slice(1) },
      { seq: 0 },
      { seq: 1.5 },
      { seq: 2 ** 53 },
      { hour: -1 },
      { hour: 0.5 },
    ];
    for (const member of wrong)
      expect({ member, is: isHead({ ...head, ...member }) }).toEqual({ member, is: false });
  });
});

describe('AUD-14: the leaf of a restore', () => {
  it('is the canonical JSON of its members', () => {
    expect(encodeRestore(restore).toString()).toBe(restoreText);
    expect(decodeRestore(Buffer.from(restoreText))).toEqual(restore);
  });

  it('voids no leaf if it begins behind the former last one', () => {
    expect(decodeRestore(changed(restoreText, '"from":64', '"from":70'))).toEqual({ ...restore, from: 70 });
    expect(decodeRestore(changed(restoreText, '"from":64', '"from":71'))).toBeUndefined();
  });

  it.each([
    ['{"former_root"', ' {"former_root"'],
    ['"version":1}', '"version":1} '],
    ['"from":64', '"from":064'],
    ['"reason":"restore"', '"reason":"other"'],
    [HEAD, 'A1'.repeat(32)],
  ])('is no other text: %s as %s', (part, by) => {
    expect(decodeRestore(changed(restoreText, part, by))).toBeUndefined();
  });

  it('becomes three extension lines of the next checkpoint', () => {
    expect(restoreExtensions(restore)).toEqual([
      'generation after a restore to 2026-11-22T08:00:00.000Z',
      'former head 70 oaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaGhoaE=',
      'void leaves from 64',
    ]);
  });
});

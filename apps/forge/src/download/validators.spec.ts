import { describe, expect, it } from '@jest/globals';
import { reasonOf } from '@vaultsvc/testing/harness';
import { isNotModified, isRangeCurrent, validatorsOf } from './validators.js';

const AT = 1_795_600_000;
const DATE = 'Wed, 25 Nov 2026 09:46:40 GMT';
const validators = validatorsOf({ versionId: 'ver_a', modifiedAt: AT }, (AT + 9) * 1_000);

describe('FRG-38: the validators of a version', () => {
  it('are a strong ETag and a date in seconds, never later than now', () => {
    expect(validators).toEqual({ etag: '"ver_a"', lastModified: DATE });
    const early = validatorsOf({ versionId: 'ver_a', modifiedAt: AT + 5 }, AT * 1_000);
    expect(early.lastModified).toBe(DATE);
    expect(validatorsOf({ versionId: 'v', modifiedAt: null }).lastModified).toBeUndefined();
  });

  it.each(['"ver_a"', '"x", "ver_a"', '"x","ver_a"', '*', ' * '])('If-Match: %s holds', (list) => {
    expect(isNotModified({ 'if-match': list }, validators)).toBe(false);
  });

  it.each(['"ver_b"', 'W/"ver_a"', 'ver_a', '"ver_a', '', '"VER_A"', '"a\\"ver_a"'])(
    'If-Match: %s fails with 412, whatever If-None-Match says',
    async (list) => {
      const evaluate = async () => isNotModified({ 'if-match': list, 'if-none-match': '*' }, validators);
      expect(await reasonOf(evaluate())).toBe('IF_MATCH_FAILED');
    },
  );

  it.each(['"ver_a"', 'W/"ver_a"', '"x", W/"ver_a"', '*'])('If-None-Match: %s is 304', (list) => {
    expect(isNotModified({ 'if-none-match': list }, validators)).toBe(true);
  });

  it.each(['"ver_b"', 'ver_a', '', '"ver_"'])('If-None-Match: %s is answered', (list) => {
    expect(isNotModified({ 'if-none-match': list }, validators)).toBe(false);
  });

  it.each(['"ver_a"', DATE])('If-Range: %s lets a range apply', (value) => {
    expect(isRangeCurrent({ 'if-range': value }, validators)).toBe(true);
    expect(isRangeCurrent({}, validators)).toBe(true);
  });

  it.each([
    '"ver_b"',
    'W/"ver_a"',
    '*',
    '"ver_a", "ver_b"',
    'ver_a',
    '',
    'undefined',
    'Wed, 25 Nov 2026 09:46:39 GMT',
    'Wed, 25 Nov 2026 09:46:41 GMT',
    'Wednesday, 25-Nov-26 09:46:40 GMT',
  ])('If-Range: %s lets none apply', (value) => {
    expect(isRangeCurrent({ 'if-range': value }, validators)).toBe(false);
    expect(isRangeCurrent({ 'if-range': value }, { etag: '"ver_a"', lastModified: undefined })).toBe(
      value === '"ver_a"',
    );
  });
});

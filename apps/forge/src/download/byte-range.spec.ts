import { describe, expect, it } from '@jest/globals';
import { RangeNotSatisfiable, requestedRange } from './byte-range.js';

const SIZE = 1_000;
const DATE = 'Wed, 21 Oct 2015 07:28:00 GMT';
const parse = (range?: string, ifRange?: string) =>
  requestedRange(
    { ...(range !== undefined && { range }), ...(ifRange !== undefined && { 'if-range': ifRange }) },
    SIZE,
    { etag: '"abc"', lastModified: DATE },
  );
const whole = { offset: 0, bytes: SIZE, isPart: false };

describe('FRG-20: the Range header for 1,000 bytes (RFC 9110, 14)', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-', 0, 1_000],
    ['bytes=5-', 5, 995],
    ['bytes=-3', 997, 3],
    ['bytes=-5000', 0, 1_000],
    ['bytes=-1000', 0, 1_000],
    ['bytes=999-', 999, 1],
    ['bytes=10-19', 10, 10],
    ['bytes=990-5000', 990, 10],
    ['bytes=0-99999999999999999999999', 0, 1_000],
    ['Bytes=1-2', 1, 2],
  ])('%s selects a part', (range, offset, bytes) => {
    expect(parse(range)).toEqual({ offset, bytes, isPart: true });
  });

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-2',
    'bytes=1.5-2',
    'bytes=+1-2',
    'bytes=0-1,4-5',
    'bytes=0-1, bytes=4-5',
    'items=0-1',
    'bytes=99999999999999999999-99999999999999999998',
  ])('%s is ignored', (range) => {
    expect(parse(range)).toEqual(whole);
  });

  it.each(['bytes=1000-', 'bytes=1000-2000', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s gives 416',
    (range) => {
      expect(() => parse(range)).toThrow(RangeNotSatisfiable);
    },
  );

  it('FRG-38: applies with an If-Range of this version, and is ignored with that of another', () => {
    const part = { offset: 0, bytes: 1, isPart: true };
    for (const current of ['"abc"', DATE]) expect(parse('bytes=0-0', current)).toEqual(part);
    for (const other of ['"abd"', 'W/"abc"', 'Wed, 21 Oct 2015 07:28:01 GMT', 'x'])
      for (const range of ['bytes=0-0', 'bytes=1000-']) expect(parse(range, other)).toEqual(whole);
    expect(() => parse('bytes=1000-', '"abc"')).toThrow(RangeNotSatisfiable);
    expect(parse(undefined, '"abc"')).toEqual(whole);
  });
});

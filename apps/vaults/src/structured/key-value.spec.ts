import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { VALUE_BYTES_MAX } from '@vaultsvc/contracts/vaults';
import { keyValuesOf, wipeValues } from './key-value.js';

afterEach(() => void jest.restoreAllMocks());

describe('OPEN-19: keyValuesOf', () => {
  it('returns a string as it is and anything else as JSON, whatever the name', () => {
    const data = JSON.parse('{"a":"1","b":1,"__proto__":{"x":null},"c":"é"}') as Record<string, unknown>;
    expect(
      keyValuesOf('data', data).map(({ name, contentType, content }) => [
        name,
        contentType,
        content.toString(),
      ]),
    ).toEqual([
      ['a', 'text/plain', '1'],
      ['b', 'application/json', '1'],
      ['__proto__', 'application/json', '{"x":null}'],
      ['c', 'text/plain', 'é'],
    ]);
  });

  it('AMB-12: rejects an oversize value before it copies any value into a buffer', () => {
    const made = jest.spyOn(Buffer, 'from');
    expect(() => keyValuesOf('data', { a: 'secret', b: 'é'.repeat(VALUE_BYTES_MAX / 2 + 1) })).toThrow();
    expect(made).not.toHaveBeenCalled();
    expect(keyValuesOf('data', { b: 'é'.repeat(VALUE_BYTES_MAX / 2) })[0]?.content).toHaveLength(
      VALUE_BYTES_MAX,
    );
  });

  it('AMB-12: reports the position of an oversize value', () => {
    const set = { a: 'x'.repeat(VALUE_BYTES_MAX), b: ['x'.repeat(VALUE_BYTES_MAX)] };
    const message = 'set key 2: a value must have at most 1048576 bytes';
    expect(() => keyValuesOf('set', set)).toThrow(
      expect.objectContaining({
        code: 'PAYLOAD_TOO_LARGE',
        details: { limit_of: 'value', limit_bytes: VALUE_BYTES_MAX, fields: [{ field: 'set', message }] },
      }),
    );
  });

  it('returns buffers that wipeValues fills with zeros', () => {
    const values = keyValuesOf('data', { a: 'secret', b: [1] });
    wipeValues(values);
    expect(Buffer.concat(values.map(({ content }) => content)).every((byte) => byte === 0)).toBe(true);
  });
});

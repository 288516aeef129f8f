import { describe, expect, it } from '@jest/globals';
import { commitmentTo } from './generate-entropy.handler.js';

const opening = Buffer.from(Array.from({ length: 32 }, (_, index) => index));
const answer = { value: '0a1b', format: 'hex', reference_id: `ent_${'x'.repeat(22)}` } as const;

describe('commitmentTo', () => {
  it('returns a known vector', () => {
    expect(commitmentTo(answer, opening)).toBe(
      '6f8c59fd91fb9a3ebe7ebe8e20833a6fbdcd2246158435e2ccd927ba0bc04914',
    );
  });

  it('commits to the JSON of a list of bytes', () => {
    const asBytes = { ...answer, format: 'bytes', value: [0, 255, 7] } as const;
    const asText = { ...asBytes, value: '[0,255,7]' };
    expect(commitmentTo(asBytes, opening)).toBe(commitmentTo(asText, opening));
  });

  it('depends on value, format, reference and opening', () => {
    const others = [
      commitmentTo(answer, opening),
      commitmentTo({ ...answer, value: '0a1c' }, opening),
      commitmentTo({ ...answer, format: 'numeric' }, opening),
      commitmentTo({ ...answer, reference_id: `ent_${'y'.repeat(22)}` }, opening),
      commitmentTo(answer, Buffer.alloc(32)),
    ];
    expect(new Set(others).size).toBe(5);
  });
});

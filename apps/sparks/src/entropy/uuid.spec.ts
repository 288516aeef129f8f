import { describe, expect, it } from '@jest/globals';
import { writeUuid } from './entropy-formats.js';

describe('ENT-12: writeUuid', () => {
  it('writes the example of RFC 9562, A.3', () => {
    const bytes = Buffer.from('919108f752d133205bacf847db4148a8', 'hex');
    expect(writeUuid(bytes)).toBe('919108f7-52d1-4320-9bac-f847db4148a8');
  });

  it('sets six bits and keeps the other 122', () => {
    expect(writeUuid(Buffer.alloc(16, 0x00))).toBe('00000000-0000-4000-8000-000000000000');
    expect(writeUuid(Buffer.alloc(16, 0xff))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff');
  });
});

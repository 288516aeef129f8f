import { describe, expect, it } from '@jest/globals';
import { accountEntryLine, entryLine, type ChainEntry } from './export-lines.js';

const bytes = Buffer.alloc(32, 7);
const entry = (body?: ChainEntry['content']): ChainEntry => ({
  seq: 3,
  at: 1_700_000_000_000,
  type: 'spark_read',
  content: body,
  bodyHash: bytes,
  prevHash: bytes,
  hash: bytes,
});

describe('AUD-16: accountEntryLine', () => {
  it.each([entry({ salt: bytes, body: { event_id: 'e1', details: { size_bytes: 5 } } }), entry()])(
    'is the line of an export with the account of the chain',
    (given) => {
      const { account, ...members } = JSON.parse(accountEntryLine('acc_1', given)) as Record<string, unknown>;
      expect(account).toBe('acc_1');
      expect(members).toEqual(JSON.parse(entryLine(given)));
    },
  );

  it('refuses a body that names an account or a member of the line', () => {
    for (const name of ['account', 'hash'])
      expect(() => accountEntryLine('acc_1', entry({ salt: bytes, body: { [name]: 'x' } }))).toThrow(
        RangeError,
      );
  });
});

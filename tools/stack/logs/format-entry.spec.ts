import { describe, expect, it } from '@jest/globals';
import { formatEntry } from './format-entry.ts';

const entry = {
  time: new Date(2026, 10, 25, 9, 5, 3, 7).getTime(),
  source: 'sparks',
  level: 'warn',
  message: 'events wait',
  requestId: 'req_1',
  fields: { context: 'outbox', count: 3, name: 'two words', none: null },
};
const plain = { hasColors: false };

describe('A log entry to read', () => {
  it('has time, service, level, message, request id and the other fields in one line', () => {
    expect(formatEntry(entry, plain)).toBe(
      '09:05:03.007 sparks       warn  events wait req_1 context=outbox count=3 name="two words"',
    );
  });

  it('shows the stack of an error and its causes below', () => {
    const cause = { type: 'Error', message: 'refused', code: 'ECONNREFUSED' };
    const error = { type: 'TypeError', message: 'no', stack: 'TypeError: no\n    at main.js:1:1', cause };
    const { requestId: _, ...failed } = { ...entry, level: 'error', fields: {}, error };
    expect(formatEntry(failed, plain).split('\n')).toEqual([
      '09:05:03.007 sparks       error events wait',
      '    TypeError: no',
      '        at main.js:1:1',
      '    caused by Error: refused (ECONNREFUSED)',
    ]);
  });

  it('has colors only where they are asked for', () => {
    const escape = '\u001b[';
    expect(formatEntry(entry, plain)).not.toContain(escape);
    expect(formatEntry(entry, { hasColors: true })).toContain(`${escape}33mevents wait${escape}0m`);
  });

  it('sends no control character of a message to the terminal', () => {
    const hostile = '\u001b]0;title\u0007 \u009b2J \u202egnp.exe';
    const shown = formatEntry(
      {
        ...entry,
        message: hostile,
        requestId: hostile,
        fields: { [hostile]: hostile },
        error: { stack: hostile },
      },
      plain,
    );
    // oxlint-disable-next-line no-control-regex -- no control character may be left
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(shown).toContain('\\u001b]0;title\\u0007');
  });
});

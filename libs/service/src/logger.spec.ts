import { describe, expect, it } from '@jest/globals';
import { Secret } from '@vaultsvc/config';
import { createLogger, describeError, NestLogger } from './logger.js';

/** The lines that `write` logs. */
function linesOf(write: (logger: NestLogger) => void): Record<string, unknown>[] {
  const lines: string[] = [];
  const logger = createLogger('desk', 'trace', { write: (line) => void lines.push(line) });
  write(new NestLogger(() => logger));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('A log line', () => {
  it('is JSON with level, service and context', () => {
    expect(linesOf((logger) => logger.warn({ msg: 'events wait', count: 3 }, 'outbox'))).toMatchObject([
      { level: 'warn', service: 'desk', context: 'outbox', msg: 'events wait', count: 3 },
    ]);
    expect(linesOf((logger) => logger.log('plain text', 'boot'))).toMatchObject([
      { level: 'info', msg: 'plain text' },
    ]);
  });

  it('MISC-03: redacts a secret wherever it appears', () => {
    const secret = new Secret('hunter2');
    const key = new Secret(Buffer.from('hunter2'));
    const lines = linesOf((logger) => {
      logger.error({ msg: 'failed', secret, key, nested: { secret }, list: [secret] }, 'auth');
      logger.error(`failed with ${secret}`, 'auth');
      logger.error(new Error(`failed with ${secret}`), 'auth');
    });
    expect(lines).toHaveLength(3);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|aHVudGVyMg|68756e74657232/);
    expect(lines[0]).toMatchObject({ secret: '[redacted]', nested: { secret: '[redacted]' } });
  });

  it("MISC-03: contains an error's stack and causes, never the values that a driver attaches to it", () => {
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (email)=(a@example.com)',
      parameters: ['hunter2'],
    });
    const [line] = linesOf((logger) =>
      logger.error({ msg: 'failed', err: new Error('outer', { cause }) }, 'auth'),
    );
    expect(line).toMatchObject({
      err: { message: 'outer', cause: { message: 'duplicate key', code: '23505' } },
    });
    expect(JSON.stringify(line)).not.toMatch(/hunter2|a@example\.com/);
    expect(line).toHaveProperty('err.stack');
  });

  it('keeps the stack that Nest passes as text before the context', () => {
    expect(
      linesOf((logger) => logger.error('it broke', 'Error: it broke\n    at here', 'ExceptionsHandler')),
    ).toMatchObject([
      {
        level: 'error',
        msg: 'it broke',
        stack: 'Error: it broke\n    at here',
        context: 'ExceptionsHandler',
      },
    ]);
  });
});

describe('describeError', () => {
  it('returns a thrown value that is not an Error unchanged', () => {
    expect(describeError('text')).toBe('text');
    expect(describeError(undefined)).toBeUndefined();
  });
});

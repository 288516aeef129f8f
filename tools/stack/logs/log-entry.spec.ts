import { describe, expect, it } from '@jest/globals';
import { isAtLeast, parseLogLine } from './log-entry.ts';

const before = { time: 1_795_623_187_193 };

describe('A line of a log', () => {
  it('of a service is parsed from JSON', () => {
    const json = JSON.stringify({
      level: 'warn',
      time: 1_795_623_305_997,
      service: 'gateway',
      context: 'http',
      requestId: 'req_1',
      msg: 'no pool snapshot',
      err: { type: 'Error', message: 'timeout' },
    });
    expect(parseLogLine('gateway', json, before)).toEqual({
      time: 1_795_623_305_997,
      source: 'gateway',
      level: 'warn',
      message: 'no pool snapshot',
      requestId: 'req_1',
      error: { type: 'Error', message: 'timeout' },
      fields: { context: 'http' },
      json,
    });
  });

  it('has the message of its error where the service logged only that', () => {
    const json = '{"level":"error","time":1,"err":{"message":"refused"}}';
    expect(parseLogLine('auth', json, before)).toMatchObject({ level: 'error', message: 'refused' });
  });

  it.each([
    [
      'postgres',
      '2026-11-25 16:13:00.912 UTC [11931] FATAL:  role "x" does not exist',
      'fatal',
      'role "x" does not exist',
    ],
    ['postgres', '2026-11-25 16:13:00.912 UTC [11931] LOG:  listening', 'info', 'listening'],
    ['redis', '11932:M 25 Nov 2026 16:13:00.912 # out of memory', 'warn', 'out of memory'],
    [
      'redis',
      '11932:M 25 Nov 2026 16:13:00.912 * Ready to accept connections',
      'info',
      'Ready to accept connections',
    ],
    [
      'nats',
      '[11933] 2026/11/25 16:13:00.912541 [ERR] authentication error',
      'error',
      'authentication error',
    ],
    ['nats', '[11933] 2026/11/25 16:13:00.912541 [INF] Server is ready', 'info', 'Server is ready'],
  ])('of %s is parsed from its text: %s', (source, line, level, message) => {
    // Redis and NATS write the local time.
    const time =
      source === 'postgres'
        ? Date.UTC(2026, 10, 25, 16, 13, 0, 912)
        : new Date(2026, 10, 25, 16, 13, 0, 912).getTime();
    expect(parseLogLine(source, line, before)).toEqual({ time, source, level, message, fields: {} });
  });

  it.each(['    at Object.<anonymous> (main.js:1:1)', '{"level":"info","time":17956'])(
    'in no known format has the time before it, and is an error: %s',
    (line) => {
      expect(parseLogLine('sparks', line, before)).toEqual({
        ...before,
        source: 'sparks',
        level: 'error',
        message: line,
        fields: {},
      });
    },
  );

  it('is compared by its level', () => {
    const { level: _, ...rest } = parseLogLine('sparks', 'x', before);
    const shown = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].filter((level) =>
      isAtLeast({ ...rest, level }, 'warn'),
    );
    expect(shown).toEqual(['warn', 'error', 'fatal']);
  });
});

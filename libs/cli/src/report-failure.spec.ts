import { PassThrough } from 'node:stream';
import { ApiError } from '@vaultsvc/client';
import { describe, expect, it } from '@jest/globals';
import { CliError, Interrupted, UsageError } from './failures.js';
import { reportFailure } from './report-failure.js';
import { Output } from './terminal/output.js';

function report(error: unknown, { isJson = false, isAborted = false } = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const signal = isAborted ? AbortSignal.abort() : new AbortController().signal;
  const code = reportFailure(error, new Output(stdout, stderr, isJson), signal);
  expect(stdout.read()).toBeNull();
  return { code, text: (stderr.read() as Buffer | null)?.toString() ?? '' };
}

const refusal = (status: number, details: Record<string, unknown> = {}) =>
  new ApiError({ status, code: 'SOME_CODE', message: 'It is refused.', requestId: 'req_1', details });

describe('a failure', () => {
  it.each([
    ['400', refusal(400), 1],
    ['401', refusal(401), 3],
    ['403', refusal(403, { reason: 'ROLE_REQUIRED' }), 3],
    ['404', refusal(404), 4],
    ['412', refusal(412), 1],
    ['a wrong key of a vault', refusal(412, { reason: 'VAULT_KEY_WRONG' }), 3],
    ['a Spark that was read', refusal(403, { reason: 'SPARK_BURNED' }), 4],
    ['a link that was opened', refusal(403, { state: 'consumed' }), 4],
    ['a file that is not there', new CliError('No file.'), 1],
    ['a wrong command line', new UsageError('Wrong.'), 2],
    ['Ctrl-C', new Interrupted(), 130],
    ['any other error', new TypeError('fetch failed'), 1],
  ])('CLI-03: has an exit code: %s', (_, error, code) => {
    expect(report(error).code).toBe(code);
  });

  it('CLI-03: has message, reason, page and request id on the standard error', () => {
    const error = refusal(404, { reason: 'SPARK_NOT_FOUND', docs: 'https://api.example/docs/errors' });
    expect(report(error).text).toBe(
      [
        'vaultsvc: It is refused.',
        '  reason   SPARK_NOT_FOUND',
        '  more     https://api.example/docs/errors',
        '  request  req_1',
        '',
      ].join('\n'),
    );
  });

  it('CLI-04: is one JSON object with --json', () => {
    const { text } = report(refusal(404, { reason: 'SPARK_NOT_FOUND' }), { isJson: true });
    expect(JSON.parse(text)).toEqual({
      error: { message: 'It is refused.', reason: 'SPARK_NOT_FOUND', request_id: 'req_1', exit_code: 4 },
    });
  });

  it('CLI-03: is an interruption after Ctrl-C, whatever the command threw', () => {
    expect(report(new TypeError('fetch failed'), { isAborted: true })).toEqual({ code: 130, text: '' });
  });

  it('CLI-03: cannot control the terminal by its message', () => {
    expect(report(new Error('a\u001b[2Jb\u202ec')).text).toBe('vaultsvc: a\ufffd[2Jb\ufffdc\n');
  });
});

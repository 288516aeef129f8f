import { ConnectionError } from '@vaultsvc/client';
import { describe, expect, it } from '@jest/globals';
import { connectionProblem } from './connection-problem.js';

const failed = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error('inner'), { code }) });
const refused = new TypeError('fetch failed', {
  cause: new AggregateError([Object.assign(new Error('inner'), { code: 'ECONNREFUSED' })]),
});

describe('a connection that fails', () => {
  it.each([
    [failed('ECONNREFUSED'), 'Nothing answers at'],
    [refused, 'Nothing answers at'],
    [failed('ENOTFOUND'), 'No server is found for'],
    [failed('EAI_AGAIN'), 'No server is found for'],
    [failed('UND_ERR_CONNECT_TIMEOUT'), 'There is no answer from'],
    [new DOMException('There was no response in time.', 'TimeoutError'), 'There is no answer from'],
    [failed('ENETUNREACH'), 'There is no answer from'],
    [failed('CERT_HAS_EXPIRED'), 'There is no trusted certificate of'],
    [failed('DEPTH_ZERO_SELF_SIGNED_CERT'), 'There is no trusted certificate of'],
    [failed('ERR_SSL_WRONG_VERSION_NUMBER'), 'There is no TLS connection to'],
    [failed('UND_ERR_SOCKET'), 'There was no response from'],
    [new TypeError('fetch failed'), 'There was no response from'],
  ])('CLI-03: is a sentence with the origin and what to check: %s', (cause, problem) => {
    const text = connectionProblem(new ConnectionError(cause, 'https://api.example.com/v1/me?secret'));
    expect(text.startsWith(`${problem} https://api.example.com`)).toBe(true);
    expect(text).toMatch(/\. Check /);
    expect(text).not.toMatch(/fetch failed|secret/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { isOwnHost } from './own-host.ts';

describe('OPEN-55: a server of the local stack', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:8090',
    'localhost:1',
    'LOCALHOST',
    'localhost.',
    '[::1]:80',
    'app.localhost',
    '127.1.2.3',
  ])('answers to %s', (host) => expect(isOwnHost(host)).toBe(true));

  it.each([
    'evil.test',
    'evil.test:8090',
    'localhost.evil.test',
    '127.0.0.1.evil.test',
    'evillocalhost',
    '127.0.0.1@evil.test',
    '10.0.0.1',
    '',
    undefined,
  ])('does not answer to %s', (host) => expect(isOwnHost(host)).toBe(false));

  it('answers to the host that it listens on', () => {
    expect(isOwnHost('10.0.0.1:80', '10.0.0.1')).toBe(true);
    expect(isOwnHost('[fd00::1]:80', '[fd00::1]')).toBe(true);
    expect(isOwnHost('10.0.0.2', '10.0.0.1')).toBe(false);
  });
});

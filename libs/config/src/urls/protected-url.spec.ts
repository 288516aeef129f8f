import { describe, expect, it } from '@jest/globals';
import { isLoopback } from './protected-url.js';

describe('A loopback host', () => {
  it.each([
    ...['localhost', '127.0.0.1', '127.255.0.9', '::1', '[::1]', '0:0:0:0:0:0:0:1'],
    ...['::ffff:127.0.0.1', '[::ffff:7f00:1]'],
  ])('is %s', (host) => {
    expect(isLoopback(host)).toBe(true);
  });

  it.each(['', '127.999.1.1', '127.1', '128.0.0.1', '::ffff:10.0.0.1', '::2', 'localhost.example.test'])(
    'is not %j',
    (host) => {
      expect(isLoopback(host)).toBe(false);
    },
  );
});

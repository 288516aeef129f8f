import { describe, expect, it } from '@jest/globals';
import { apiOrigin } from './api-origin.js';

describe('CLI-02: the URL of an API', () => {
  it.each(['https://api.example.com/', 'https://api.example.com', 'https://api.example.com/docs'])(
    'is reduced to its origin: %s',
    (url) => expect(apiOrigin(url)).toBe('https://api.example.com'),
  );

  it.each(['http://127.0.0.1:8080', 'http://localhost:8080', 'http://[::1]:8080'])(
    'may be without TLS on this machine: %s',
    (url) => expect(apiOrigin(url)).toBe(url),
  );

  it.each([
    'http://api.example.com',
    'http://127.0.0.1.example.com',
    'ftp://a',
    'api.example.com',
    'https://u:p@a',
  ])('is refused otherwise: %s', (url) =>
    expect(() => apiOrigin(url)).toThrow(expect.objectContaining({ exitCode: 2 })),
  );
});

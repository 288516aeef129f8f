import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { linkPage } from './link-page.js';

const forge = 'https://forge.example';
const { html, prefetchHtml, rootHtml, policy } = linkPage(forge);
const hashOf = (name: string) => {
  const [, text = ''] = new RegExp(`<${name}>([^]*?)</${name}>`).exec(html.toString()) ?? [];
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
};

describe('LNK-11 OPEN-22 OPEN-23: the link page', () => {
  // A fifth is for passkeys, the second person and the answers to notifications (NTF-08, NTF-46).
  it('is smaller than 26,000 bytes, script and style included', () => {
    expect(html.byteLength).toBeLessThan(26_000);
    expect(html.byteLength).toBeGreaterThan(prefetchHtml.byteLength);
  });

  it('allows only its own script and style, by their hashes, and requests to its own origin and Forge', () => {
    expect(policy).toBe(
      `default-src 'none'; script-src ${hashOf('script')}; style-src ${hashOf('style')}; connect-src 'self' ${forge}; ` +
        `img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'`,
    );
  });

  it.each([
    ['a prefetch', prefetchHtml],
    ['the root', rootHtml],
  ])('has no script and no event handler for %s', (_, document) => {
    expect(document.toString()).not.toMatch(/<script|\son[a-z]+=/i);
  });

  it('loads nothing from elsewhere', () => {
    for (const document of [html, rootHtml])
      expect(document.toString()).not.toMatch(/(src|href)="(?!data:,")/);
  });
});

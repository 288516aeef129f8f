import { describe, expect, it } from '@jest/globals';
import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { code, delivery, invitation, lockout, now, url } from '../testing/sample-messages.js';
import { linkMail } from './link-mail.js';

const mail = (message: LinkMessage) => linkMail(message, now);
const body = (html: string) => html.slice(html.indexOf('<body')).replaceAll(/<\/?bdi>/g, '');

describe('SPK-41: the mail that invites to a link', () => {
  it('names sender and content, uses and expiry, the recipient of the code, and forbids forwarding', () => {
    const { subject, text, html } = mail(invitation);
    expect(subject).toBe('Engines has shared a secret with you');
    for (const form of [text, body(html)]) {
      expect(form).toContain('Engines has shared a secret with you');
      expect(form).toContain('It can be opened once: it is shown, and then it is gone.');
      expect(form).toContain('The link expires on 22 November 2026 at 21:30 UTC.');
      expect(form).toContain('enter ada@example.com there, and a code will be sent to this address.');
      expect(form).toContain('Do not forward it.');
    }
    expect(text).toContain(`Open the secret: ${url}\n`);
    expect(html).toContain(`href="${url}"`);
  });

  it('SHR-11: of a durable file link has no expiry and opens often', () => {
    const { subject, text } = mail({ ...invitation, link_type: 'ingot', expires_at: null });
    expect(subject).toBe('Engines has shared a file with you');
    expect(text).toContain('You can open it as often as you need, for as long as it is shared.');
    expect(text).not.toMatch(/once|ends on/);
    expect(text).toContain(`Open the file: ${url}\n`);
  });

  it('names no sender where none is known', () => {
    expect(mail({ ...invitation, organization_name: '' }).subject).toBe('A secret was shared with you');
    expect(mail({ ...delivery, organization_name: ' \r\n' }).subject).toBe('A file was sent to you');
  });
});

describe('SHR-14: the mail that delivers a link', () => {
  it('says that the link works once, when it expires, and not to forward it', () => {
    const { subject, text, html } = mail(delivery);
    expect(subject).toBe('Engines has sent you a file');
    for (const form of [text, body(html)]) {
      expect(form).toContain(
        'The link works once: whoever opens it first receives the file. Do not forward it.',
      );
      expect(form).toContain('The link expires on 22 November 2026 at 21:30 UTC.');
      expect(form).not.toContain('code');
    }
    expect(text).toContain(`Open the file: ${url}\n`);
  });
});

describe('OPEN-25: the mail about a lockout', () => {
  it('names identity, content and end, says how to admit the person again, and contains no link', () => {
    const { subject, text, html } = mail(lockout);
    expect(subject).toBe('Wrong codes have locked out guest@example.net');
    for (const form of [text, body(html)]) {
      expect(form).toContain('Somebody entered 20 wrong codes for guest@example.net within a day');
      expect(form).toContain('a secret of Engines: spk_0123456789abcdefghijkl.');
      expect(form).toContain('until 22 November 2026 at 21:30 UTC.');
      expect(form).toContain('send the invitation again: then new codes are accepted at once.');
      expect(form).toContain('This mail was sent to ada@example.com because you own the account');
      expect(form).not.toContain(url);
    }
    expect(html).not.toMatch(/href=|undefined/);
    expect(text).not.toContain('undefined');
  });
});

describe('OPEN-25: the mail with a code', () => {
  it('begins with the code, and says how long and where it is valid, and that we never ask for it', () => {
    const { subject, text, html } = mail(code);
    expect(subject).toBe('012345 is your code to open a secret');
    for (const form of [text, body(html)]) {
      expect(form).toContain('It is valid for 10 minutes.');
      expect(form).toContain('Share it with nobody: we will never ask you for it.');
      expect(form).toContain('somebody entered this address on a page');
    }
    expect(text).toContain('\n\n012345\n\n');
    expect(body(html)).toMatch(/class="code"[^>]*>012345</);
  });

  it('contains no link, and no name that the requester may have chosen', () => {
    const { text, html } = mail({ ...code, organization_name: 'Your bank' });
    expect(text + html).not.toMatch(/:\/\/|<a |Your bank/);
  });

  it.each([
    [0, '1 minute'],
    [89, '1 minute'],
    [91, '2 minutes'],
    [595, '10 minutes'],
  ])('says for %i seconds left that it is valid for %s', (seconds, shown) => {
    const expires_at = Math.floor(now.getTime() / 1_000) + seconds;
    expect(mail({ ...code, expires_at }).text).toContain(`valid for ${shown}.`);
  });
});

describe('TRAP 96: a hostile name in a mail about a link', () => {
  const hostile = `"><script>alert(1)</script><a href='http://evil.example'>`;

  it.each(['invitation', 'delivery'] as const)('is sanitized as the name of an organization: %s', (kind) => {
    const { subject, text, html } = mail({
      ...delivery,
      kind,
      organization_name: `a\r\nBcc: x@y.zz ${hostile}`,
    });
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).not.toMatch(/<script|<a href='/);
    expect(html.match(/<a /g)).toHaveLength(2);
    for (const form of [subject, text.replaceAll(url, '').replaceAll(delivery.to, '')])
      expect(form).not.toMatch(/:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u);
  });

  it('is isolated when it is right-to-left, and cut when it is long', () => {
    expect(mail({ ...invitation, organization_name: 'מנועים' }).subject).toBe(
      '\u2068מנועים\u2069 has shared a secret with you',
    );
    expect(mail({ ...invitation, organization_name: '🎉'.repeat(255) }).subject).toBe(
      `${'🎉'.repeat(79)}… has shared a secret with you`,
    );
  });

  it.each([invitation, delivery, code])('adds no remote content and no script: $kind', (message) => {
    const { html } = mail(message);
    const links = [...html.matchAll(/(?:https?:)?\/\/[^"'<\s]*/g)].map(([link]) => link);
    expect(links).toEqual(message.kind === 'code' ? [] : [url, url, url]);
    expect(html).not.toMatch(/<(img|script|link|iframe|object)|@import|url\(/i);
  });
});

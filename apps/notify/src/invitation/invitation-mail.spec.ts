import { describe, expect, it } from '@jest/globals';
import type { InvitationText } from '@vaultsvc/contracts/auth';
import { invitationMail } from './invitation-mail.js';

const url = 'https://app.example.com/signin';
const invitation: InvitationText = {
  email: 'ada@example.com',
  organization_name: 'Engines',
  invited_by: 'Charles',
  invited_by_email: 'charles@example.com',
  expires_at: Date.parse('2026-12-05T21:30:00Z') / 1_000,
};
const mail = (changes: Partial<InvitationText> = {}) => invitationMail({ ...invitation, ...changes }, url);

describe('OPEN-57 OPEN-59: an invitation mail', () => {
  it('names inviter, organization, the address to sign in with, the page and the expiry, and says that it may be ignored', () => {
    const { subject, text, html } = mail();
    expect(subject).toBe('Charles invites you to Engines on vaultsvc');
    for (const form of [text, html.slice(html.indexOf('<body')).replaceAll(/<\/?bdi>/g, '')]) {
      expect(form).toContain('Charles invites you to Engines on vaultsvc');
      expect(form).toContain(
        'To join Engines, sign in with this e-mail address: ada@example.com. Then accept the invitation, or decline it.',
      );
      expect(form).toContain('The invitation expires on 5 December 2026 at 21:30 UTC.');
      expect(form).toContain(url);
      expect(form).toContain('If you did not expect it, ignore it: you join nothing unless you accept.');
    }
    expect(html).toContain('<bdi>Charles</bdi> invites you to <bdi>Engines</bdi>');
  });

  it.each([null, '', ' \r\n'])('names no inviter for an empty name and no address: %j', (invited_by) => {
    const { subject } = mail({ invited_by, invited_by_email: null });
    expect(subject).toBe('You are invited to Engines on vaultsvc');
  });

  it.each([null, '', ' \r\n'])('names the inviter by address if the name is empty: %j', (invited_by) => {
    expect(mail({ invited_by }).subject).toBe('charles@example.com invites you to Engines on vaultsvc');
  });

  it('contains no remote content and no script', () => {
    const { html } = mail();
    expect([...html.matchAll(/(?:https?:)?\/\/[^"'<\s]*/g)].map(([link]) => link)).toEqual([url, url, url]);
    expect(html).not.toMatch(/<(img|script|link|iframe|object)|@import|url\(/i);
  });
});

describe('OPEN-57: a hostile name in an invitation mail', () => {
  const hostile = `"><script>alert(1)</script><a href='http://evil.example'>`;

  it('is escaped in HTML', () => {
    const { html } = mail({ organization_name: hostile, invited_by: hostile });
    expect(html).not.toMatch(/<script|<a href='/);
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(html.match(/<a /g)).toHaveLength(2);
  });

  it('is escaped when it is an address', () => {
    expect(mail({ email: '<b>&@example.com' }).html).toContain('&lt;b&gt;&amp;@example.com');
  });

  it.each(['\r\n', '\n', '\u2028', '\u0085', '\v', '\0'])('starts no new line by %j', (lineBreak) => {
    const name = `a${lineBreak}Bcc: eve@example.com${lineBreak}${lineBreak}b`;
    const { subject, text, html } = mail({ organization_name: name, invited_by: name });
    expect(subject).toBe('a Bcc: eve@example․com b invites you to a Bcc: eve@example․com b on vaultsvc');
    expect(text.split(/[\n\u2028\u0085\v\0]/)).toHaveLength(mail().text.split('\n').length);
    expect(html).not.toContain(lineBreak === '\n' ? 'a\nBcc' : lineBreak);
  });

  it('loses bidirectional overrides, and is isolated when it is right-to-left', () => {
    const { subject, text, html } = mail({
      organization_name: 'moc.elpmaxe\u202e\u2066x',
      invited_by: 'עדה לאבלייס',
    });
    expect(subject).toBe('\u2068עדה לאבלייס\u2069 invites you to moc․elpmaxe x on vaultsvc');
    expect(html).toContain('<bdi>עדה לאבלייס</bdi> invites');
    expect(subject + text + html).not.toMatch(/[\u202a-\u202e\u2066]/);
  });

  it('keeps the joiners of Persian names and emoji', () => {
    const { html } = mail({ organization_name: 'می\u200cخواهم', invited_by: '👩\u200d💻' });
    expect(html).toContain('می\u200cخواهم');
    expect(html).toContain('👩\u200d💻');
  });

  it.each(['Win at https://evil.example now', 'www.evil.example', 'evil.example/x?y'])(
    'is not turned into a link by mail clients: %s',
    (name) => {
      const { subject, text } = mail({ organization_name: name });
      for (const form of [subject, text.replace(url, '').replaceAll(invitation.email, '')])
        expect(form).not.toMatch(/:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u);
    },
  );

  it.each(['evil.example/win?now@x.example', 'billing@bank.example', `${'a.bc'.repeat(16)}@evil.example`])(
    'is sanitized when it looks like an address: %s',
    (invited_by) => {
      const { subject, text } = mail({ invited_by, invited_by_email: 'eve@example.com' });
      for (const form of [subject, text.replace(url, '').replaceAll(invitation.email, '')])
        expect(form).not.toMatch(/:\/\/|[\p{L}\p{N}]\.\p{L}{2}/u);
    },
  );

  it('is unchanged when it is an ordinary name', () => {
    for (const name of ['St. Gallen Inc.', 'J.R.R. Tolkien & Söhne', "O'Neill", 'Müller (Köln) – 3.5%'])
      expect(mail({ organization_name: name }).subject).toBe(`Charles invites you to ${name} on vaultsvc`);
  });

  it('is cut when it is very long', () => {
    const { subject } = mail({ organization_name: '🎉'.repeat(255) });
    expect(subject).toBe(`Charles invites you to ${'🎉'.repeat(79)}… on vaultsvc`);
  });
});

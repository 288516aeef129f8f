import { describe, expect, it } from '@jest/globals';
import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { segmentsOf } from '../../../../tools/mail/segments.ts';
import { code, delivery, invitation, now, url } from '../testing/sample-messages.js';
import { linkText } from './link-text.js';

const text = (message: LinkMessage) => linkText(message, now);

describe('SPK-41 SHR-11 SHR-14 OPEN-25: a text message about a link', () => {
  it.each([
    [`Engines has shared a secret with you. Opens once, until 22 Nov, 21:30 UTC: ${url}`, invitation],
    [`Engines has shared a file with you: ${url}`, { ...invitation, link_type: 'ingot', expires_at: null }],
    [`Engines has sent you a file. Opens once, until 22 Nov, 21:30 UTC: ${url}`, delivery],
    [
      `A file was sent to you. Opens once, until 22 Nov, 21:30 UTC: ${url}`,
      { ...delivery, organization_name: '' },
    ],
    [
      '012345 is your code to open a secret. It is valid for 10 minutes. Share it with nobody: we will never ask you for it.',
      code,
    ],
  ] satisfies [string, LinkMessage][])('%s', (expected, message) => {
    expect(text(message)).toBe(expected);
  });

  it.each([
    'Engines',
    'Müller & Söhne GmbH',
    'O’Neill “Partners” – Dublin',
    'St. Gallen Inc., evil.example, www.example.com',
    'x'.repeat(255),
  ])('fits into one segment: %s', (organization_name) => {
    for (const message of [invitation, delivery, code])
      expect(segmentsOf(text({ ...message, organization_name }))).toEqual({ encoding: 'GSM-7', segments: 1 });
  });

  it('uses more segments for a name in other letters', () => {
    expect(text({ ...delivery, organization_name: 'Αναλυτική Μηχανή' })).toContain(
      'Αναλυτική Μηχανή has sent',
    );
  });
});

describe('TRAP 96: a hostile name in a text message', () => {
  it.each(['Win at https://evil.example now', 'www.evil.example', 'evil.example/x?y', 'a\nhttp://b.example'])(
    'is not turned into a link by phones: %j',
    (organization_name) => {
      const shown = text({ ...delivery, organization_name }).replace(url, '');
      expect(shown).not.toMatch(/:\/\/|[\p{L}\p{N}]\.\p{L}{2}|\n/u);
    },
  );

  it('is absent from a message with a code, whose requester may have chosen it', () => {
    expect(text({ ...code, organization_name: 'Your bank' })).not.toContain('bank');
  });
});

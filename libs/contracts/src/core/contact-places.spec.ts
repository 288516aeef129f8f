import { describe, expect, it } from '@jest/globals';
import { Invitation } from '../auth/user.js';
import { NewSend } from '../notify/send.js';
import { VerificationStart } from '../sparks/link-opening.js';
import { SparkSharing } from '../sparks/spark-share.js';
import { IngotLinkDelivery } from '../vaults/ingot-link.js';
import { NewSharingInvite, SharingChange } from '../vaults/sharing.js';
import { decode } from './decode.js';
import { EMAIL_PROBLEM } from './identity.js';
import type { AppError } from './errors.js';

const label = (length: number) => 'a'.repeat(length);
const refused = [
  'a..b@x.test',
  '.a@x.test',
  'a.@x.test',
  'a@x..test',
  `${label(65)}@x.test`,
  `a@${label(64)}.test`,
  `a@${`${label(62)}.`.repeat(4)}test`,
  'a@under_score.test',
];

/** The operations in which somebody names a person, with the same address. */
const places: readonly [string, (address: string) => unknown][] = [
  ['a user', (email) => decode(Invitation, { email, role: 'member', seat: 'full' })],
  ['an invite of a Spark', (email) => decode(SparkSharing, { visibility: 'invite_only', invites: [email] })],
  ['an invite of a file', (identity) => decode(NewSharingInvite, { identity })],
  ['invites of a file', (email) => decode(SharingChange, { visibility: 'invite_only', invites: [email] })],
  ['a delivery', (identity) => decode(IngotLinkDelivery, { identity })],
  ['a visitor', (identity) => decode(VerificationStart, { identity })],
  ['a recipient', (email) => decode(NewSend, { recipients: [email], content: { payload: 'x' } })],
  ['a recipient object', (email) => decode(NewSend, { recipients: [{ email }], content: { payload: 'x' } })],
];

describe.each(places)('OPEN-59 SHR-14 NTF-04: the address of %s', (_, name) => {
  it.each(['x@bücher.test', 'x@xn--bcher-kva.test', "o'hara+tag@sub.example.test"])(
    'may be %s',
    (address) => {
      expect(() => name(address)).not.toThrow();
    },
  );

  it.each(refused)('is refused with the reason of all addresses: %s', (address) => {
    expect(messageOf(() => name(address))).toContain(EMAIL_PROBLEM);
  });
});

/** Addresses and numbers of which at least one reader has its own opinion. */
const nasty = [
  [
    'ann@x.test.',
    'ANN@X.TEST',
    'ann@X\u0308.test',
    'ａｎｎ@x.test',
    'ann@ｘ.test',
    'ann@x。test',
    'ß@x.test',
    'ann@faß.test',
  ],
  [
    'ann@x.test ',
    ' ann@x.test',
    'ann@x.test\n',
    'ann\u00a0@x.test',
    'ann@x\u00ad.test',
    'a\u200dnn@x.test',
    'ann\u0000@x.test',
  ],
  [
    '"ann"@x.test',
    'ann(c)@x.test',
    'ann,bob@x.test',
    'ann;@x.test',
    'a\\nn@x.test',
    '<ann@x.test>',
    'ann@x.test>',
    'a:b@x.test',
  ],
  [
    'ann@x',
    'ann@localhost',
    'ann@x.1',
    'ann@1.2.3.4',
    'ann@0x7f.1',
    'ann@[::1]',
    'ann@-x.test',
    'ann@x-.test',
    'ann@xn--a.test',
  ],
  [
    '@x.test',
    'ann@',
    'ann@@x.test',
    'a@b@x.test',
    '..@x.test',
    "a'b@x.test",
    'a/b@x.test',
    'a%b@x.test',
    'a+b=c@x.test',
  ],
  [
    '+4930123456',
    '+49 30 123456',
    '+49(0)30123456',
    '004930123456',
    '+0301234567',
    '+1234567890123456',
    '+123456',
    '+1234567',
  ],
  [
    '＋4930123456',
    '+４９30123456',
    '+49\u202c30123456',
    '+4930123456\n',
    'tel:+4930123456',
    '+4930123456;ext=1',
  ],
].flat();

it('OPEN-59 SHR-14: all operations in which somebody is named agree on an address or a number', () => {
  const identityPlaces = places.filter(([place]) => !/^a (user|recipient)/.test(place));
  for (const text of nasty) {
    const isRefused = (name: (text: string) => unknown) => messageOf(() => name(text)) !== 'accepted';
    const refusals = new Set(identityPlaces.map(([, name]) => isRefused(name)));
    const ofUsers = text.includes('@') ? places.filter(([place]) => /user|object/.test(place)) : [];
    for (const [, name] of ofUsers) refusals.add(isRefused(name));
    expect([text, refusals.size]).toEqual([text, 1]);
  }
});

describe('NTF-35: an id of the directory', () => {
  it.each(['user-7', 'ann@realm', 'a@b@c.test', '0044201234567'])('may be %s', (id) => {
    expect(() => decode(NewSend, { recipients: [id], content: { payload: 'x' } })).not.toThrow();
  });
});

function messageOf(call: () => unknown): string {
  try {
    call();
    return 'accepted';
  } catch (error) {
    const { fields } = (error as AppError).details as { fields: { message: string }[] };
    return fields.map(({ message }) => message).join('\n');
  }
}

import { describe, expect, it } from '@jest/globals';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { maskedAddress } from './unsubscribe/masked-address.js';
import { preferenceKeysOf } from './preference-keys.js';

const person = { directory_key: 'id:user-7', email: 'Ada@Example.com', phone: '+4915112345678' };
const keysOn = (channel: NotifyChannel, changes: object = {}) =>
  preferenceKeysOf({ channel, ...person, ...changes });

describe('NTF-35 NTF-41: a message is checked against the preferences', () => {
  it('of the id, and of the address that its channel uses', () => {
    expect(keysOn('email')).toEqual(['id:user-7', 'email:ada@example.com']);
    for (const channel of ['sms', 'voice', 'whatsapp', 'rcs'] as const)
      expect(keysOn(channel)).toEqual(['id:user-7', 'phone:+4915112345678']);
    for (const channel of ['push', 'web_push', 'in_app', 'websocket', 'webhook', 'slack', 'teams'] as const)
      expect(keysOn(channel)).toEqual(['id:user-7']);
  });

  it('of an address once, where it is the name of the recipient', () => {
    expect(keysOn('email', { directory_key: 'email:ada@example.com' })).toEqual(['email:ada@example.com']);
    expect(keysOn('email', { email: null })).toEqual(['id:user-7']);
  });
});

describe('NTF-41: an address on the page of a link', () => {
  it.each([
    ['ada@example.com', 'a…@example.com'],
    ['a@example.com', '…@example.com'],
    ['ab@example.com', 'a…@example.com'],
    ['\u{1f512}x@example.com', '\u{1f512}…@example.com'],
  ])('%s is shown as %s', (email, masked) => expect(maskedAddress(email)).toBe(masked));
});

import { describe, expect, it } from '@jest/globals';
import { canRetry, deliveryText, recipientState } from './recipient-text.js';
import type { Delivery, RecipientState } from './send-report.js';

const delivery: Delivery = {
  delivery_id: 'd',
  channel: 'email',
  step: 0,
  state: 'sent',
  attempts: 1,
  reason: null,
  provider_id: null,
  due_at: null,
  sent_at: null,
};
const recipient: RecipientState = {
  recipient: 'ann@example.com',
  grant: 'active',
  seen_at: null,
  actions: [],
  hasLink: false,
  deliveries: [delivery],
};
const stateOf = (change: Partial<RecipientState>) => recipientState({ ...recipient, ...change });

describe('NTF-38: the state of a recipient', () => {
  it.each<[string, Partial<RecipientState>, object]>([
    ['sent is not delivered', {}, { kind: 'warn', text: 'Sent, not opened yet' }],
    ['queued', { deliveries: [{ ...delivery, state: 'queued' }] }, { kind: 'plain', text: 'On its way' }],
    ['failed', { deliveries: [{ ...delivery, state: 'failed' }] }, { kind: 'bad', text: 'Not reached' }],
    ['ended', { grant: 'expired' }, { kind: 'plain', text: 'Ended unopened' }],
    ['signed', { actions: ['view', 'sign'], seen_at: 1 }, { kind: 'good', text: 'Signed' }],
    ['denied', { actions: ['view', 'deny'], seen_at: 1 }, { kind: 'bad', text: 'Denied' }],
  ])('says that it is %s', (_, change, expected) => {
    expect(stateOf(change)).toEqual(expected);
  });
});

describe('NTF-43: a message of a channel', () => {
  it('says why it was not sent', () => {
    const missing: Delivery = { ...delivery, channel: 'sms', state: 'failed', reason: 'NO_PHONE' };
    expect(deliveryText(missing)).toBe('Text message: failed, no phone number');
    expect(deliveryText({ ...delivery, state: 'unconfigured' })).toBe('E-mail: not set up');
    expect(deliveryText({ ...delivery, state: 'failed', reason: '550', attempts: 3 })).toBe(
      'E-mail: failed, 550, 3 attempts',
    );
  });

  it('is sent again if it failed or had no credentials', () => {
    expect(canRetry({ ...delivery, state: 'failed' })).toBe(true);
    expect(canRetry({ ...delivery, state: 'unconfigured' })).toBe(true);
    expect(canRetry({ ...delivery, state: 'queued' })).toBe(false);
  });
});

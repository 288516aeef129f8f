import { describe, expect, it } from '@jest/globals';
import type { NotifyChannel } from '@vaultsvc/contracts/notify';
import { countMessages } from './message-draw.js';

const ada = { email: 'ada@example.com', phone: '+4915112345678' };
const byMail = { email: 'bob@example.com', phone: null };
const byId = { email: null, phone: null };

function count(channels: NotifyChannel[], recipients = [ada, byMail, byId]) {
  return countMessages({ accountId: 'acc_1', recipients, plan: channels.map((channel) => ({ channel })) });
}

describe('OPEN-32: the messages of a send', () => {
  it('are mails, texts and calls, and others, for each recipient and step', () => {
    expect(count(['email', 'email', 'sms', 'voice', 'whatsapp', 'rcs'], [ada, ada])).toEqual({
      mails: 4,
      texts: 8,
      others: 0,
    });
    expect(
      count(['in_app', 'websocket', 'push', 'web_push', 'webhook', 'slack', 'teams'], [ada, byId]),
    ).toEqual({ mails: 0, texts: 0, others: 14 });
  });

  it('are none where a recipient has no address of the channel', () => {
    expect(count(['email', 'sms'])).toEqual({ mails: 2, texts: 1, others: 0 });
    expect(count([])).toEqual({ mails: 0, texts: 0, others: 0 });
  });
});

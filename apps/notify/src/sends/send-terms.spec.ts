import { describe, expect, it } from '@jest/globals';
import { AppError } from '@vaultsvc/contracts';
import { NewSend, NotifyConfiguration, NotifyContent } from '@vaultsvc/contracts/notify';
import { accountContext } from '@vaultsvc/testing/harness';
import { AccountSettings } from '../settings/account-settings.js';
import { readTerms } from './send-terms.js';

const caller = accountContext();
const content = Object.assign(new NotifyContent(), { payload: 'x' });
const ingot = { ingot_id: 'ing_1', vault_id: 'vlt_1' };

function termsOf(changes: Partial<NewSend>, settings: Partial<NotifyConfiguration> = {}) {
  const body = Object.assign(new NewSend(), { recipients: ['ada@example.com'], content, ...changes });
  const configuration = Object.assign(new NotifyConfiguration(), settings);
  return readTerms(body, new AccountSettings(configuration), caller);
}

/** The reason and details of the refusal. */
function refusalOf(changes: Partial<NewSend>): string {
  try {
    termsOf(changes);
  } catch (error) {
    if (error instanceof AppError) return `${error.reason} ${JSON.stringify(error.details)}`;
    throw error;
  }
  return 'none';
}
const without = { content: undefined } as unknown as Partial<NewSend>;

describe('the terms of a send', () => {
  it('NTF-05: hold exactly one of content and ingot', () => {
    expect(refusalOf({ ingot })).toContain('exactly one of content and ingot');
    expect(refusalOf(without)).toContain('exactly one of content and ingot');
    expect(refusalOf({})).toBe('none');
  });

  it('NTF-05 SPK-05: hold a content of at most 256,000 bytes', () => {
    const of = (payload: string) => ({ content: { ...content, payload } });
    expect(refusalOf(of('x'.repeat(256_000)))).toBe('none');
    expect(refusalOf(of('é'.repeat(128_001)))).toContain('PAYLOAD_TOO_LARGE');
  });

  it('NTF-07: send an ingot to one recipient, who may be repeated', () => {
    expect(refusalOf({ ...without, ingot, recipients: ['a', 'b'] })).toContain('one recipient only');
    expect(refusalOf({ ...without, ingot, recipients: ['a', 'a'] })).toBe('none');
  });

  it('NTF-08 OPEN-64: need a second recipient for dual control', () => {
    const policy = {
      verification_level: 'dual_control',
      interaction: 'view',
      reveal_freshness_minutes: null,
    } as const;
    const ada = 'ada@example.com';
    expect(refusalOf({ policy, recipients: [ada, ada] })).toContain('second recipient');
    expect(termsOf({ policy, recipients: [ada, 'bob@example.com'] }).recipients).toHaveLength(2);
    const phone = '+4915112345678';
    const sharing = [
      { id: 'ada', phone },
      { id: 'bob', phone },
    ];
    expect(refusalOf({ policy, recipients: sharing })).toContain('address of its own');
    expect(refusalOf({ policy, recipients: sharing })).toContain('recipients');
  });

  it('NTF-20: have a new id if the caller chose none', () => {
    expect(termsOf({}).sendId).toMatch(/^ntsnd_[A-Za-z0-9_-]{16,}$/);
    expect(termsOf({ send_id: 'mine' }).sendId).toBe('mine');
  });

  it('NTF-12: use the channels of the call, else of its category, else the default ones', () => {
    const settings = {
      channel_priority: { approval: ['push', 'email'] },
      default_channels: ['sms'],
    } as const;
    const channelsOf = (changes: Partial<NewSend>) =>
      termsOf(changes, settings as unknown as Partial<NotifyConfiguration>).channels;
    expect(channelsOf({ channels: ['slack'], category: 'approval' })).toEqual(['slack']);
    expect(channelsOf({ category: 'approval' })).toEqual(['push', 'email']);
    expect(channelsOf({ category: 'constructor' })).toEqual(['sms']);
    expect(channelsOf({})).toEqual(['sms']);
    expect(termsOf({}).channels).toEqual(['in_app', 'email']);
  });

  it('NTF-14 NTF-16: take the steps of the call, else of the configuration, unless escalation is off', () => {
    const delivery = { escalation_enabled: true, escalation_delays: [0, 90] };
    const delaysOf = (changes: Partial<NewSend>, isEscalated = true) =>
      termsOf(changes, { delivery: { ...delivery, escalation_enabled: isEscalated } }).plan.map(
        ({ delaySeconds }) => delaySeconds,
      );
    expect(delaysOf({})).toEqual([0, 90]);
    expect(delaysOf({ escalation: { delays: [30, 60] } })).toEqual([0, 60]);
    expect(delaysOf({ escalation: { delays: [30, 60] } }, false)).toEqual([0]);
  });
});

describe('NTF-08: the identity that a recipient proves', () => {
  const person = { email: 'ada@example.com', phone: '+14155550100' };
  const identityOf = (level: string, channels: string[], recipient: object | string = person) => {
    const policy = { verification_level: level, interaction: 'view', reveal_freshness_minutes: null };
    return termsOf({ policy, channels, recipients: [recipient] } as unknown as Partial<NewSend>).recipients[0]
      ?.identity;
  };
  const refusal = (level: string, channels: string[], recipient: object | string) => {
    const policy = { verification_level: level, interaction: 'view', reveal_freshness_minutes: null };
    return refusalOf({ policy, channels, recipients: [recipient] } as unknown as Partial<NewSend>);
  };

  it('is none at the level none, else the address, else the phone number', () => {
    expect(identityOf('none', ['email'])).toBeNull();
    expect(identityOf('identifier', ['email'])).toBe(person.email);
    expect(identityOf('passkey', ['push'], { id: 'user-7', phone: person.phone })).toBe(person.phone);
    expect(refusal('identifier', ['push'], 'user-7')).toContain('needs an e-mail address or a phone number');
  });

  it('OPEN-64: is by another channel than the link at the level out_of_band', () => {
    expect(identityOf('out_of_band', ['email'])).toBe(person.phone);
    expect(identityOf('out_of_band', ['sms', 'push'])).toBe(person.email);
    expect(identityOf('out_of_band', ['push'], 'ada@example.com')).toBe('ada@example.com');
    expect(refusal('out_of_band', ['email'], 'ada@example.com')).toContain('needs a phone number');
    expect(refusal('out_of_band', ['email', 'whatsapp'], person)).toContain('for the code alone');
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@vaultsvc/contracts';
import { NewSend, NotifyConfiguration, NotifyContent } from '@vaultsvc/contracts/notify';
import { accountContext } from '@vaultsvc/testing/harness';
import { AccountSettings } from '../settings/account-settings.js';
import { readTerms } from './send-terms.js';

const caller = accountContext();
const content = Object.assign(new NotifyContent(), { payload: 'x' });
const ingot = { ingot_id: 'ing_1', vault_id: 'vlt_1' };

/** The identities that have enrolled a passkey, and those that were asked for. */
const passkeys = { enrolled: [] as string[], asked: [] as string[] };
beforeEach(() => {
  passkeys.enrolled = [];
  passkeys.asked = [];
});
const findEnrolled = (identities: readonly string[]) => {
  passkeys.asked.push(...identities);
  return Promise.resolve(identities.filter((identity) => passkeys.enrolled.includes(identity)));
};

function termsOf(changes: Partial<NewSend>, settings: Partial<NotifyConfiguration> = {}) {
  const body = Object.assign(new NewSend(), { recipients: ['ada@example.com'], content, ...changes });
  const configuration = Object.assign(new NotifyConfiguration(), settings);
  return readTerms(body, new AccountSettings(configuration), caller, findEnrolled);
}

/** The reason and details of the refusal. */
async function refusalOf(changes: Partial<NewSend>): Promise<string> {
  try {
    await termsOf(changes);
  } catch (error) {
    if (error instanceof AppError) return `${error.reason} ${JSON.stringify(error.details)}`;
    throw error;
  }
  return 'none';
}
const without = { content: undefined } as unknown as Partial<NewSend>;

describe('the terms of a send', () => {
  it('NTF-05: hold exactly one of content and ingot', async () => {
    expect(await refusalOf({ ingot })).toContain('exactly one of content and ingot');
    expect(await refusalOf(without)).toContain('exactly one of content and ingot');
    expect(await refusalOf({})).toBe('none');
  });

  it('NTF-05 SPK-05: hold a content of at most 256,000 bytes', async () => {
    const of = (payload: string) => ({ content: { ...content, payload } });
    expect(await refusalOf(of('x'.repeat(256_000)))).toBe('none');
    expect(await refusalOf(of('é'.repeat(128_001)))).toContain('PAYLOAD_TOO_LARGE');
  });

  it('NTF-07: send an ingot to one recipient, who may be repeated', async () => {
    expect(await refusalOf({ ...without, ingot, recipients: ['a', 'b'] })).toContain('one recipient only');
    expect(await refusalOf({ ...without, ingot, recipients: ['a', 'a'] })).toBe('none');
  });

  it('NTF-08 OPEN-64: need a second recipient for dual control', async () => {
    const policy = {
      verification_level: 'dual_control',
      interaction: 'view',
      reveal_freshness_minutes: null,
    } as const;
    const ada = 'ada@example.com';
    expect(await refusalOf({ policy, recipients: [ada, ada] })).toContain('second recipient');
    expect((await termsOf({ policy, recipients: [ada, 'bob@example.com'] })).recipients).toHaveLength(2);
    const phone = '+4915112345678';
    const sharing = [
      { id: 'ada', phone },
      { id: 'bob', phone },
    ];
    expect(await refusalOf({ policy, recipients: sharing })).toContain('address of its own');
    expect(await refusalOf({ policy, recipients: sharing })).toContain('recipients');
  });

  it('NTF-20: have a new id if the caller chose none', async () => {
    expect((await termsOf({})).sendId).toMatch(/^ntsnd_[A-Za-z0-9_-]{16,}$/);
    expect((await termsOf({ send_id: 'mine' })).sendId).toBe('mine');
  });

  it('NTF-12: use the channels of the call, else of its category, else the default ones', async () => {
    const settings = {
      channel_priority: { approval: ['push', 'email'] },
      default_channels: ['sms'],
    } as const;
    const channelsOf = async (changes: Partial<NewSend>) =>
      (await termsOf(changes, settings as unknown as Partial<NotifyConfiguration>)).channels;
    expect(await channelsOf({ channels: ['slack'], category: 'approval' })).toEqual(['slack']);
    expect(await channelsOf({ category: 'approval' })).toEqual(['push', 'email']);
    expect(await channelsOf({ category: 'constructor' })).toEqual(['sms']);
    expect(await channelsOf({})).toEqual(['sms']);
    expect((await termsOf({})).channels).toEqual(['in_app', 'email']);
  });

  it('NTF-14 NTF-16: take the steps of the call, else of the configuration, unless escalation is off', async () => {
    const delivery = { escalation_enabled: true, escalation_delays: [0, 90] };
    const delaysOf = async (changes: Partial<NewSend>, isEscalated = true) => {
      const terms = await termsOf(changes, { delivery: { ...delivery, escalation_enabled: isEscalated } });
      return terms.plan.map(({ delaySeconds }) => delaySeconds);
    };
    expect(await delaysOf({})).toEqual([0, 90]);
    expect(await delaysOf({ escalation: { delays: [30, 60] } })).toEqual([0, 60]);
    expect(await delaysOf({ escalation: { delays: [30, 60] } }, false)).toEqual([0]);
  });
});

describe('NTF-08: the identity that a recipient proves', () => {
  const person = { email: 'ada@example.com', phone: '+14155550100' };
  const identityOf = async (level: string, channels: string[], recipient: object | string = person) => {
    const policy = { verification_level: level, interaction: 'view', reveal_freshness_minutes: null };
    const terms = await termsOf({ policy, channels, recipients: [recipient] } as unknown as Partial<NewSend>);
    return terms.recipients[0]?.identity;
  };
  const refusal = (level: string, channels: string[], recipient: object | string) => {
    const policy = { verification_level: level, interaction: 'view', reveal_freshness_minutes: null };
    return refusalOf({ policy, channels, recipients: [recipient] } as unknown as Partial<NewSend>);
  };

  it('is none at the level none, else the address, else the phone number', async () => {
    expect(await identityOf('none', ['email'])).toBeNull();
    expect(await identityOf('identifier', ['email'])).toBe(person.email);
    expect(await identityOf('passkey', ['push'], { id: 'user-7', phone: person.phone })).toBe(person.phone);
    expect(await refusal('identifier', ['push'], 'user-7')).toContain(
      'needs an e-mail address or a phone number',
    );
  });

  it('OPEN-64: is by another channel than the link at the level out_of_band', async () => {
    expect(await identityOf('out_of_band', ['email'])).toBe(person.phone);
    expect(await identityOf('out_of_band', ['sms', 'push'])).toBe(person.email);
    expect(await identityOf('out_of_band', ['push'], 'ada@example.com')).toBe('ada@example.com');
    expect(await refusal('out_of_band', ['email'], 'ada@example.com')).toContain('needs a phone number');
    expect(await refusal('out_of_band', ['email', 'whatsapp'], person)).toContain('for the code alone');
  });

  it('OPEN-64: is by another channel than the link at the level passkey, whose code enrolls', async () => {
    expect(await identityOf('passkey', ['email'])).toBe(person.phone);
    expect(await identityOf('passkey', ['sms'])).toBe(person.email);
    expect(await identityOf('passkey', ['in_app'])).toBe(person.email);
    expect(passkeys.asked).toEqual([]);
    expect(await refusal('passkey', ['email'], 'ada@example.com')).toContain(
      'needs a phone number for verification_level passkey, unless a passkey was enrolled before',
    );
    expect(await refusal('passkey', ['email', 'sms'], person)).toContain('for the code alone');
  });

  it('OPEN-64: is that of a passkey enrolled before, where there is no other channel', async () => {
    passkeys.enrolled = ['ada@example.com'];
    expect(await identityOf('passkey', ['email'], 'ada@example.com')).toBe('ada@example.com');
    expect(await identityOf('passkey', ['email', 'sms'], person)).toBe('ada@example.com');
    expect(await refusal('passkey', ['email'], 'bob@example.com')).toContain('needs a phone number');
    expect(await refusal('out_of_band', ['email'], 'ada@example.com')).toContain('needs a phone number');
  });
});

describe('OPEN-64: what stands for absent', () => {
  it('is null in policy, escalation and channels, as in content and ingot', async () => {
    const nothing = { policy: null, escalation: null, channels: null };
    expect(await termsOf({ ...nothing, ingot: null })).toMatchObject({
      channels: ['in_app', 'email'],
      policy: { verification_level: 'none', interaction: 'view', reveal_freshness_minutes: null },
      ingotId: null,
    });
    expect(await termsOf({ ...nothing, ingot, content: null })).toMatchObject({ ingotId: 'ing_1' });
  });
});

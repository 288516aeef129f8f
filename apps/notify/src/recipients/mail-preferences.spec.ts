import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext } from '@vaultsvc/contracts';
import * as notify from '@vaultsvc/contracts/notify';
import { internalContext, reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { useMailingPlatform } from '../testing/mailing-platform.js';
import { UnsubscribeLinks } from './unsubscribe/unsubscribe-links.js';

const platform = useMailingPlatform();
let caller: AccountContext;
beforeAll(async () => {
  caller = await platform.newCaller();
});

const visitor = () => internalContext();

/** Sends a mail and returns how its delivery ended. */
async function mail(recipient: notify.RecipientInput, changes: Partial<notify.NewSend> = {}) {
  const { send_id } = await platform.send(
    { recipients: [recipient], channels: ['email'], ...changes },
    caller,
  );
  const [delivery] = await eventually(
    async () => (await platform.report(send_id, caller)).recipient_states[0]?.deliveries ?? [],
    ([one]) => ['sent', 'skipped', 'failed'].includes(one?.state ?? ''),
  );
  return { state: delivery?.state, reason: delivery?.reason };
}

/** The token of the header of the latest mail to an address. */
async function tokenTo(address: string): Promise<string> {
  const { headers } = await platform.mailTo(address);
  const header = headers.find(({ key }) => key === 'list-unsubscribe')?.value ?? '';
  return new URL(header.slice(1, -1)).searchParams.get('token') as string;
}

const read = (token: string) =>
  platform.harness.bus.call(notify.readCategorySubscription, { query: { token } }, visitor());
const end = (token: string) => platform.harness.bus.call(notify.unsubscribe, { query: { token } }, visitor());
const set = (token: string, body: notify.MailPreferenceChanges) =>
  platform.harness.bus.call(notify.setMailPreferences, { query: { token }, body }, visitor());

const sent = { state: 'sent', reason: null };
const skipped = { state: 'skipped', reason: 'OPTED_OUT' };

describe('NTF-41 OPEN-34: the unsubscribe link of a mail', () => {
  it('ends the mails to its address, under whatever id, and opens them again', async () => {
    const email = 'Grace@example.com';
    expect(await mail({ id: 'user-7', email })).toEqual(sent);
    const token = await tokenTo(email);
    expect(await end(token)).toMatchObject({ unsubscribed: true, channel: 'email', category: null });
    expect(await mail({ id: 'user-7', email })).toEqual(skipped);
    expect(await mail('grace@EXAMPLE.com')).toEqual(skipped);
    expect(await mail({ id: 'user-8', email: 'grace@example.com' })).toEqual(skipped);
    expect(await mail({ id: 'user-7', email: 'grace.home@example.com' })).toEqual(sent);
    expect(await set(token, { unsubscribed: false })).toMatchObject({ unsubscribed: false });
    expect(await mail({ id: 'user-7', email })).toEqual(sent);
    expect(await mail('grace@example.com')).toEqual(sent);
    expect(await mail({ id: 'user-8', email: 'grace@example.com' })).toEqual(sent);
  });

  it('OPEN-59: ends the mails to its mailbox, however the domain is written', async () => {
    expect(await mail('x@bücher.test')).toEqual(sent);
    const token = await tokenTo('x@bücher.test'); // the mail server decodes the domain
    await end(token);
    expect(await mail('x@xn--bcher-kva.test')).toEqual(skipped);
    expect(await mail({ id: 'user-9', email: 'X@BÜCHER.test' })).toEqual(skipped);
  });

  it('OPEN-59: of a mail from before its address was keyed by mailbox ends what is sent now', async () => {
    const token = await platform.notify.context.get(UnsubscribeLinks).tokenOf({
      accountId: caller.credential.accountId,
      directoryKey: 'email:y@bücher.test',
      category: null,
    });
    await end(token);
    expect(await mail('y@bücher.test')).toEqual(skipped);
  });

  it('of a mail of a category ends that category alone, until all mails are switched off', async () => {
    const email = 'categories@example.com';
    await mail(email, { category: 'news' });
    const token = await tokenTo(email);
    await end(token);
    expect(await mail(email, { category: 'news' })).toEqual(skipped);
    expect(await mail(email, { category: 'bills' })).toEqual(sent);
    await set(token, { all_mails_off: true });
    expect(await mail(email, { category: 'bills' })).toEqual(skipped);
    expect(await mail(email)).toEqual(skipped);
    await set(token, { unsubscribed: false });
    expect(await mail(email, { category: 'news' })).toEqual(sent);
    expect(await mail(email, { category: 'bills' })).toEqual(sent);
  });

  it('ends no mails of another sender, and nothing on other channels', async () => {
    const email = 'shared@example.com';
    const other = await platform.newCaller();
    await mail(email);
    await end(await tokenTo(email));
    const { send_id } = await platform.send({ recipients: [email], channels: ['email'] }, other);
    await eventually(
      () => platform.report(send_id, other),
      ({ status }) => status === 'delivered',
    );
    const inApp = await platform.send({ recipients: [email], channels: ['in_app'] }, caller);
    await eventually(
      () => platform.report(inApp.send_id, caller),
      ({ status }) => status === 'delivered',
    );
  });

  it('names the sender and the categories of its mails, and the address only masked', async () => {
    const email = 'reader@example.com';
    for (const category of ['news', 'bills']) await mail({ id: 'reader', email }, { category });
    const token = await tokenTo(email);
    await set(token, { categories: [{ category: 'news', is_on: false }] });
    const { organization_name, ...described } = await read(token);
    expect(organization_name).not.toBe('');
    expect(described).toEqual({
      unsubscribed: false,
      channel: 'email',
      category: 'bills',
      address: 'r…@example.com',
      all_mails_off: false,
      categories: [
        { category: 'bills', is_on: true },
        { category: 'news', is_on: false },
      ],
      quiet_hours: null,
    });
    expect(JSON.stringify(described)).not.toContain('reader');
  });

  it('sets quiet hours with a time zone, which the account reads of the address, and ends them', async () => {
    const email = 'sleeper@example.com';
    await mail(email);
    const token = await tokenTo(email);
    const quiet_hours = { from: '21:30', to: '06:15', time_zone: 'Asia/Kolkata' };
    expect(await set(token, { quiet_hours })).toMatchObject({ quiet_hours, unsubscribed: false });
    expect(await preferencesOf(email)).toMatchObject({ quiet_hours });
    expect(await set(token, { unsubscribed: true })).toMatchObject({ quiet_hours, unsubscribed: true });
    expect(await set(token, { quiet_hours: null })).toMatchObject({ quiet_hours: null, unsubscribed: true });
    const unknown = { ...quiet_hours, time_zone: 'Mars/Olympus' };
    expect(await reasonOf(set(token, { quiet_hours: unknown }))).toBe('VALIDATION_ERROR');
  });

  it('is in the text of the mail as the address of a page, and in its header as that of one click', async () => {
    await mail('page@example.com');
    const { text = '', html = '', headers } = await platform.mailTo('page@example.com');
    const token = await tokenTo('page@example.com');
    expect(headers.find(({ key }) => key === 'list-unsubscribe')?.value).toMatch(
      /^<http:\/\/[^/]+\/v1\/unsubscribe\?token=/,
    );
    for (const form of [text, html]) expect(form).toContain(`/unsubscribe?token=${token}`);
    for (const form of [text, html]) expect(form).not.toContain('/v1/unsubscribe');
  });
});

const preferencesOf = (recipient_id: string, context = caller) =>
  platform.harness.bus.call(notify.readPreferences, { params: { recipient_id } }, context);
const prefer = (recipient_id: string, body: notify.PreferenceChanges) =>
  platform.harness.bus.call(notify.putPreferences, { params: { recipient_id }, body }, caller);

describe('NTF-35 OPEN-34: the preferences of a recipient', () => {
  it('are all on for one that has none', async () => {
    expect(await preferencesOf('nobody')).toEqual({
      recipient_id: 'nobody',
      channels_off: [],
      categories_off: [],
      quiet_hours: null,
    });
  });

  it('are set in part: what is absent stays, null ends quiet hours', async () => {
    const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' };
    const news = { category: 'news', channel: null };
    const mails = { category: 'bills', channel: 'email' as const };
    await prefer('parts', { channels_off: ['sms', 'push'], quiet_hours });
    expect(await prefer('parts', { categories_off: [news, mails] })).toEqual({
      recipient_id: 'parts',
      channels_off: ['sms', 'push'],
      categories_off: [mails, news],
      quiet_hours,
    });
    await prefer('parts', { channels_off: ['voice'] });
    await prefer('parts', { quiet_hours: null });
    expect(await preferencesOf('parts')).toEqual({
      recipient_id: 'parts',
      channels_off: ['voice'],
      categories_off: [mails, news],
      quiet_hours: null,
    });
    expect(await prefer('parts', { channels_off: [], categories_off: [] })).toMatchObject({
      channels_off: [],
      categories_off: [],
    });
  });

  it('are those of one account', async () => {
    await prefer('tenant', { channels_off: ['email'] });
    expect(await preferencesOf('tenant', await platform.newCaller())).toMatchObject({ channels_off: [] });
  });

  it('apply to the id, also for mails, and are no preferences of its address', async () => {
    const email = 'member@example.com';
    await prefer('member', { channels_off: ['email'] });
    expect(await mail({ id: 'member', email })).toEqual(skipped);
    expect(await mail(email)).toEqual(sent);
  });

  it('of an address apply to all ids that are reached at it, and show what its owner has switched off', async () => {
    const email = 'owner@example.com';
    await mail({ id: 'owner', email }, { category: 'news' });
    await end(await tokenTo(email));
    expect(await preferencesOf(email)).toMatchObject({
      channels_off: [],
      categories_off: [{ category: 'news', channel: 'email' }],
    });
    await prefer(email, { categories_off: [] });
    expect(await mail({ id: 'owner', email }, { category: 'news' })).toEqual(sent);
  });

  it('of a phone number apply to all ids that are reached at it', async () => {
    const phone = '+4915112345678';
    await prefer(phone, { channels_off: ['sms'] });
    const states = async (channel: notify.NotifyChannel) => {
      const { send_id } = await platform.send(
        { recipients: [{ id: 'caller', phone }], channels: [channel] },
        caller,
      );
      return eventually(
        async () => (await platform.report(send_id, caller)).recipient_states[0]?.deliveries[0],
        (one) => one?.state !== 'queued',
      );
    };
    // No provider of texts is set, so the rule itself is read where it is applied.
    expect(await states('in_app')).toMatchObject({ state: 'sent' });
  });

  it('are refused with an unknown time zone, and for a text that names nobody', async () => {
    const quiet_hours = { from: '22:00', to: '07:00', time_zone: 'Europe/Atlantis' };
    expect(await reasonOf(prefer('x', { channels_off: ['sms'], quiet_hours }))).toBe('VALIDATION_ERROR');
    expect(await preferencesOf('x')).toMatchObject({ channels_off: [] });
    expect(await reasonOf(preferencesOf('line\nbreak'))).toBe('VALIDATION_ERROR');
  });

  it('compare categories without their case', async () => {
    await prefer('case', { categories_off: [{ category: 'NEWS', channel: null }] });
    expect(await preferencesOf('case')).toMatchObject({
      categories_off: [{ category: 'NEWS', channel: null }],
    });
    expect(await mail({ id: 'case', email: 'case@example.com' }, { category: 'news' })).toEqual(skipped);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AccountContext } from '@vaultsvc/contracts';
import {
  deleteSuppression,
  listSuppressions,
  replayDelivery,
  type DeliveryReport,
} from '@vaultsvc/contracts/notify';
import { reasonOf } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { emailFailure } from '../email/smtp-email.js';
import { smtpAnswer } from '../testing/mail-server.js';
import { useMailingPlatform } from '../testing/mailing-platform.js';

/** The answers of the mail server, by the beginning of the address. */
const refusals: Record<string, [number, string]> = {
  gone: [550, '5.1.1 no such user'],
  policy: [550, '5.7.1 we do not like you'],
  bare: [550, 'no such user here'],
  busy: [450, '4.2.1 try again later'],
};
const asked: string[] = [];
const platform = useMailingPlatform({
  onRcptTo: (address) => {
    asked.push(address);
    const refusal = refusals[/^[a-z]+/.exec(address)?.[0] ?? ''];
    if (refusal) throw smtpAnswer(...refusal);
  },
});
let caller: AccountContext;
beforeAll(async () => {
  caller = await platform.newCaller();
});

async function mail(address: string, by = caller): Promise<DeliveryReport & { send_id: string }> {
  const { send_id } = await platform.send({ recipients: [address], channels: ['email'] }, by);
  return { ...(await ended(send_id, by)), send_id };
}

const ended = (send_id: string, by = caller): Promise<DeliveryReport> =>
  eventually(
    async () => (await platform.report(send_id, by)).recipient_states[0]?.deliveries[0] as DeliveryReport,
    ({ state, reason }) => state === 'sent' || state === 'failed' || reason !== null,
  );

const list = (by = caller, query: { limit: number; cursor?: string } = { limit: 50 }) =>
  platform.harness.bus.call(listSuppressions, { query }, by);
const lift = (suppression_id: string, by = caller) =>
  platform.harness.bus.call(deleteSuppression, { params: { suppression_id } }, by);
const attemptsAt = (address: string) => asked.filter((one) => one === address).length;

describe('OPEN-34 NTF-38: an address that a mail server refuses for good', () => {
  it('is suppressed for the account, and asked no more', async () => {
    const address = 'gone.user@example.com';
    expect(await mail(address)).toMatchObject({ state: 'failed', reason: 'EENVELOPE 550 5.1.1' });
    expect(await mail('Gone.User@example.com')).toMatchObject({ state: 'failed', reason: 'SUPPRESSED' });
    expect(attemptsAt(address)).toBe(1);
    const { suppressions } = await list();
    expect(suppressions).toMatchObject([{ address, reason: 'EENVELOPE 550 5.1.1' }]);
    expect(suppressions[0]?.created_at).toBeGreaterThan(1_700_000_000);
  });

  it('can be lifted, and its delivery repeated', async () => {
    const address = 'gone.twice@example.com';
    await mail(address);
    const { send_id, delivery_id } = await mail(address);
    const { suppressions } = await list();
    const { suppression_id } = suppressions.find(
      (one) => one.address === address,
    ) as (typeof suppressions)[0];
    expect(suppression_id).toMatch(/^sup_/);
    await lift(suppression_id);
    delete refusals['gone'];
    await platform.harness.bus.call(replayDelivery, { params: { send_id, delivery_id } }, caller);
    await eventually(
      () => platform.report(send_id, caller),
      ({ status }) => status === 'delivered',
    );
    refusals['gone'] = [550, '5.1.1 no such user'];
    expect(await reasonOf(lift(suppression_id))).toBe('SUPPRESSION_NOT_FOUND');
  });

  it('is that of one account: others send to it, and cannot lift it', async () => {
    const address = 'gone.shared@example.com';
    const other = await platform.newCaller();
    await mail(address);
    expect((await list(other)).suppressions).toEqual([]);
    expect(await mail(address, other)).toMatchObject({ reason: 'EENVELOPE 550 5.1.1' });
    const [own] = (await list(other)).suppressions;
    expect(await reasonOf(lift(own?.suppression_id ?? '', caller))).toBe('SUPPRESSION_NOT_FOUND');
  });

  it.each([
    ['policy@example.com', 'failed'],
    ['bare@example.com', 'failed'],
    ['busy@example.com', 'queued'],
  ])('is none where the refusal does not say that there is no mailbox: %s', async (address, state) => {
    const by = await platform.newCaller();
    expect(await mail(address, by)).toMatchObject({ state });
    expect((await list(by)).suppressions).toEqual([]);
  });

  it('is listed newest first, in pages', async () => {
    const by = await platform.newCaller();
    for (const index of [1, 2, 3]) await mail(`gone.${index}@example.com`, by);
    const first = await list(by, { limit: 2 });
    expect(first).toMatchObject({
      suppressions: [{ address: 'gone.3@example.com' }, { address: 'gone.2@example.com' }],
      count: 2,
      has_more: true,
    });
    const second = await list(by, { limit: 2, cursor: first.next_cursor as string });
    expect(second).toMatchObject({ suppressions: [{ address: 'gone.1@example.com' }], has_more: false });
  });
});

describe('OPEN-34: a refusal of a mail server', () => {
  const isGone = (response: string, command = 'RCPT TO') =>
    emailFailure({
      code: 'EENVELOPE',
      command,
      permanent: response.startsWith('5'),
      responseCode: Number(response.slice(0, 3)),
      response,
    }).isAddressGone;

  it.each(['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'])('with %s is one of the address', (code) => {
    expect(isGone(`550 ${code} refused`)).toBe(true);
  });

  it.each([
    '550 5.1.0 x',
    '550 5.1.7 x',
    '550 5.1.8 x',
    '550 5.7.1 x',
    '552 5.2.2 x',
    '550 x',
    '450 4.1.1 x',
  ])('with %s is none of the address', (response) => {
    expect(isGone(response)).toBe(false);
  });

  it('of the sender is none of the address', () => {
    expect(isGone('550 5.1.1 x', 'MAIL FROM')).toBe(false);
  });
});

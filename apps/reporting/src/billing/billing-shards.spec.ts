import { beforeAll, describe, expect, it } from '@jest/globals';
import { openCheckout, validatePurchase, type Checkout } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { JobScheduler, type RunningService } from '@vaultsvc/service';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { startAppStore } from '@vaultsvc/tools-testing/app-store';
import { reporting } from '../service-definition.js';
import { appStoreSettings, bought } from '../testing/app-store.js';
import { newCustomer, type Customer } from '../testing/billing.js';
import { startPlatform } from '../testing/platform.js';
import { deliver, stripeSettings } from '../testing/stripe.js';
import { StripeServer } from '../testing/stripe-server.js';

const DAY_MS = 86_400_000;

/** Two shards of reporting, with Stripe and the App Store. */
const platform = useFixture(
  async () => {
    const [stripe, store] = [await StripeServer.start(), await startAppStore(bought)];
    const settings = { ...stripeSettings(stripe), ...appStoreSettings(store), SHARDS: '0,1' };
    const started = await startPlatform({ ...settings, SHARD: '0' });
    return { ...started, stripe, store, settings };
  },
  async ({ harness, stripe }) => {
    await harness.stop();
    await stripe.stop();
  },
);

let second: RunningService;
const startSecond = async () => {
  second = await platform.harness.startShard(reporting, 1, platform.settings);
  await second.context.get(JobScheduler).stop();
};
beforeAll(async () => {
  await Promise.all(platform.instances.map(({ context }) => context.get(JobScheduler).stop()));
  await startSecond();
});

const customerOf = (shard: number) => newCustomer(platform, { accountId: newId('acc_', shard) });
const checkOut = ({ context }: Customer) =>
  platform.harness.bus.call(
    openCheckout,
    { body: { plan: 'team', seats: 0, storage_blocks: 0, bandwidth_blocks: 0 } },
    context,
  );
/** `account_id`: as in the metadata of sessions that this release opens. */
const completed = ({ checkout_id, invoice }: Checkout, account_id?: string) => ({
  id: newId('evt_'),
  type: 'checkout.session.completed',
  object: {
    id: newId('cs_test_'),
    object: 'checkout.session',
    payment_status: 'paid',
    amount_total: invoice?.amount_due.amount,
    metadata: { checkout_id, ...(account_id !== undefined && { account_id }) },
  },
});

describe('MISC-01 BIL-08: an event of Stripe', () => {
  it.each([0, 1])('changes the subscription of an account of shard %d, once', async (shard) => {
    const customer = customerOf(shard);
    const event = completed(await checkOut(customer));
    await Promise.all([deliver(platform, event), deliver(platform, event)]);
    expect(await customer.subscription()).toMatchObject({ plan: 'team', version: 2 });
    expect(await customer.invoices()).toMatchObject([{ status: 'paid', total: { amount: 4_900 } }]);
  });

  it('is not confirmed while the shard of its account is down, and is applied when Stripe delivers it again', async () => {
    const [first, other] = [customerOf(0), customerOf(1)];
    const ofFirst = completed(await checkOut(first), first.accountId);
    const ofOther = completed(await checkOut(other), other.accountId);
    const unnamed = completed(await checkOut(customerOf(0)));
    await second.stop();
    await deliver(platform, ofFirst);
    expect(await first.subscription()).toMatchObject({ plan: 'team', version: 2 });
    for (const event of [ofOther, unnamed])
      await expect(deliver(platform, event)).rejects.toBeInstanceOf(Error);
    await deliver(platform, { ...ofOther, type: 'customer.updated' }); // has no effect anywhere
    await startSecond();
    for (const event of [ofOther, unnamed]) await deliver(platform, event);
    expect(await other.subscription()).toMatchObject({ plan: 'team', version: 2 });
  });
});

describe('MISC-01 BIL-11 OPEN-31: a purchase in the App Store', () => {
  let transactions = 3_000_000_000_000;
  const receiptOf = () =>
    platform.store.sign({
      originalTransactionId: String((transactions += 1)),
      expiresDate: bought.expiresDate,
    });
  const validate = ({ context }: Customer, receipt: string) =>
    platform.harness.bus.call(validatePurchase, { body: { store: 'apple', receipt } }, context);

  it.each([
    [0, 1],
    [1, 0],
    [1, 1],
  ])(
    'of an account of shard %d is refused to one of shard %d, and accepted again from its own',
    async (own, other) => {
      const receipt = await receiptOf();
      const owner = customerOf(own);
      expect(await validate(owner, receipt)).toMatchObject({
        subscription: { biller: 'apple', plan: 'team' },
      });
      await expect(validate(customerOf(other), receipt)).rejects.toMatchObject({
        reason: 'PURCHASE_CLAIMED',
      });
      expect(await validate(owner, receipt)).toMatchObject({
        subscription: { biller: 'apple', plan: 'team' },
      });
    },
  );

  it('belongs to one account, of however many of both shards at once', async () => {
    const receipt = await receiptOf();
    const customers = [0, 1, 0, 1, 0, 1].map(customerOf);
    const all = await Promise.allSettled(customers.map((customer) => validate(customer, receipt)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ reason: 'PURCHASE_CLAIMED' });
  });

  it('that the account has claimed before is renewed while the shard that decides is down', async () => {
    const transaction = {
      originalTransactionId: String((transactions += 1)),
      expiresDate: bought.expiresDate,
    };
    const owner = customerOf(1);
    await validate(owner, await platform.store.sign(transaction));
    await Promise.all(platform.instances.map((instance) => instance.stop()));
    const renewed = { ...transaction, expiresDate: bought.expiresDate + 30 * DAY_MS };
    expect(await validate(owner, await platform.store.sign(renewed))).toMatchObject({
      expires_at: Math.floor(renewed.expiresDate / 1_000),
    });
    await expect(validate(customerOf(1), await receiptOf())).rejects.toBeInstanceOf(Error);
  });
});

import { describe, expect, it } from '@jest/globals';
import { validatePurchase } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { deadlineIn } from '@vaultsvc/testing/harness';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { startAppStore, type Transaction } from '@vaultsvc/tools-testing/app-store';
import { appStoreSettings, bought } from '../../testing/app-store.js';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { startPlatform, type Platform } from '../../testing/platform.js';

const DAY_MS = 86_400_000;

const store = useFixture(
  () => startAppStore(bought),
  async () => undefined,
);
const platform = useFixture(
  () => startPlatform(appStoreSettings(store)),
  ({ harness }) => harness.stop(),
);

const validate = ({ context }: Customer, receipt: string, on: Platform = platform) =>
  on.harness.bus.call(validatePurchase, { body: { store: 'apple', receipt } }, context);
let transactions = 2_000_000_000_000;
/** A purchase that no other test has made. */
const purchase = (changes: Transaction = {}) => ({
  originalTransactionId: String((transactions += 1)),
  expiresDate: Date.now() + 30 * DAY_MS,
  ...changes,
});
const seconds = (ms: unknown) => Math.floor(Number(ms) / 1_000);
const REFUSED = { reason: 'PURCHASE_REFUSED', code: 'CONFLICT' };

describe('BIL-11 OPEN-31: a purchase in the App Store', () => {
  it('OPEN-67: with one Idempotency-Key is validated once; another proof with it is refused', async () => {
    const customer = newCustomer(platform);
    const keyed = (receipt: string) =>
      platform.harness.bus.call(
        validatePurchase,
        { body: { store: 'apple', receipt } },
        { ...customer.context, deadlineMs: deadlineIn(60), idempotencyKey: 'k' },
      );
    const receipt = await store.sign(purchase());
    const first = await keyed(receipt);
    const { version } = await customer.subscription();
    expect(await keyed(receipt)).toEqual(first);
    expect(await customer.subscription()).toMatchObject({ version });
    await expect(keyed(await store.sign(purchase()))).rejects.toMatchObject({
      reason: 'IDEMPOTENCY_KEY_REUSED',
    });
  });

  it('starts the subscription of its product until it expires, without an invoice', async () => {
    const customer = newCustomer(platform);
    const made = purchase();
    const validated = await validate(customer, await store.sign(made));
    expect(validated).toMatchObject({
      store: 'apple',
      product_id: 'team.monthly',
      expires_at: seconds(made.expiresDate),
      subscription: {
        status: 'active',
        biller: 'apple',
        plan: 'team',
        price: { amount: 0 },
        current_period_end: seconds(made.expiresDate),
      },
    });
    expect(await customer.subscription()).toEqual(validated.subscription);
    expect(await customer.invoices()).toEqual([]);
    await platform.waitForSnapshot(customer.accountId, ({ identity }) => identity.limit === 15);
  });

  it('changes nothing when it is sent again, and is renewed by a newer proof only', async () => {
    const customer = newCustomer(platform);
    const made = purchase();
    const [older, newer] = [
      await store.sign(made),
      await store.sign({
        ...made,
        productId: 'business.monthly',
        expiresDate: made.expiresDate + 30 * DAY_MS,
      }),
    ];
    const first = await validate(customer, older);
    expect(await validate(customer, older)).toEqual(first);
    const renewed = await validate(customer, newer);
    expect(renewed.subscription).toMatchObject({ plan: 'business', version: first.subscription.version + 1 });
    expect(await validate(customer, older)).toEqual(renewed);
  });

  it('belongs to the first account that claims it, of any number at once', async () => {
    const receipt = await store.sign(purchase());
    const customers = Array.from({ length: 6 }, () => newCustomer(platform));
    const all = await Promise.allSettled(customers.map((customer) => validate(customer, receipt)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of all)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ reason: 'PURCHASE_CLAIMED', code: 'CONFLICT' });
    const statuses = await Promise.all(customers.map((customer) => customer.subscription()));
    expect(statuses.filter(({ biller }) => biller === 'apple')).toHaveLength(1);
  });

  it('credits what is left of our own subscription, and leaves changes to the store', async () => {
    const customer = newCustomer(platform);
    await customer.start({ plan: 'team', seats: 2 });
    const { subscription } = await validate(
      customer,
      await store.sign(purchase({ productId: 'business.monthly' })),
    );
    expect(subscription).toMatchObject({ plan: 'business', seats: 0 });
    expect(subscription.credit_balance.amount).toBeGreaterThan(5_690);
    const reason = 'SUBSCRIPTION_OF_STORE';
    await expect(customer.adjust({ seats: 1 })).rejects.toMatchObject({ reason });
    await expect(customer.start({ plan: 'team' })).rejects.toMatchObject({ reason });
  });

  it('ends with its period, after which the account may subscribe here', async () => {
    const customer = newCustomer(platform);
    await validate(customer, await store.sign(purchase()));
    await customer.elapse(31 * 86_400);
    await platform.renew();
    expect(await customer.subscription()).toMatchObject({ status: 'canceled', biller: 'manual' });
    await customer.start({ plan: 'team' });
  });

  it('AMB-17: is not claimed by a member', async () => {
    const member = newCustomer(platform, { role: 'member' });
    await expect(validate(member, await store.sign(purchase()))).rejects.toMatchObject({
      reason: 'ROLE_REQUIRED',
    });
  });
});

describe('BIL-11 OPEN-31: a proof of the App Store is refused', () => {
  it.each<[string, Transaction]>([
    ['of another app', { bundleId: 'com.example.other' }],
    ['of the sandbox', { environment: 'Sandbox' }],
    ['of a product without a plan', { productId: 'gold.monthly' }],
    ['of a purchase that is no subscription', { type: 'Consumable' }],
    ['that was refunded', { revocationDate: Date.now() - 1_000 }],
    ['that has expired', { expiresDate: Date.now() - 1_000 }],
    ['without an expiry', { expiresDate: undefined }],
    ['with an expiry beyond all time', { expiresDate: Number.MAX_SAFE_INTEGER }],
    ['without the original transaction', { originalTransactionId: undefined }],
    ['with text in place of the original transaction', { originalTransactionId: "1' OR 1=1" }],
    ['signed in the future', { signedDate: Date.now() + DAY_MS }],
    ['without the time of its signature', { signedDate: undefined }],
  ])('%s', async (_, changes) => {
    const receipt = await store.sign(purchase(changes));
    await expect(validate(newCustomer(platform), receipt)).rejects.toMatchObject(REFUSED);
  });

  it('whose certificates lead to another root', async () => {
    const forger = await startAppStore({ ...bought, ...purchase() });
    await expect(validate(newCustomer(platform), await forger.sign())).rejects.toMatchObject(REFUSED);
  });

  it.each([
    [
      'a signer that Apple has not marked: every developer has a certificate of this authority',
      { isLeafUnmarked: true },
    ],
    ['an authority that Apple has not marked', { isIntermediateUnmarked: true }],
    ['a signer that had expired', { isLeafExpired: true }],
  ])('whose certificates have %s', async (_, faults) => {
    const receipt = await store.signWith(faults, purchase());
    await expect(validate(newCustomer(platform), receipt)).rejects.toMatchObject(REFUSED);
  });

  it('whose chain is incomplete, too long, in disorder or no chain', async () => {
    const chain = chainOf(await store.sign(purchase()));
    const [leaf = '', intermediate = '', root = ''] = chain;
    for (const other of [
      [],
      [leaf],
      [leaf, intermediate],
      [intermediate, leaf, root],
      [...chain, root],
      ['x', 'y', root],
    ]) {
      const receipt = await store.sign(purchase(), other);
      await expect(validate(newCustomer(platform), receipt)).rejects.toMatchObject(REFUSED);
    }
  });

  it('whose payload was changed, or that is not signed', async () => {
    const [header = '', payload = '', signature = ''] = (await store.sign(purchase())).split('.');
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const changed = {
      ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object),
      productId: 'business.monthly',
    };
    for (const receipt of [
      `${header}.${encode(changed)}.${signature}`,
      `${encode({ alg: 'none' })}.${payload}.`,
      `${encode({ alg: 'HS256', x5c: [] })}.${payload}.${signature}`,
      `${header}.${payload}.`,
      'not a receipt',
      '..',
      newId('txn_'),
    ])
      await expect(validate(newCustomer(platform), receipt)).rejects.toMatchObject(REFUSED);
  });

  it('while the store is not configured', async () => {
    const body = { store: 'google' as const, receipt: 'token' };
    const { context } = newCustomer(platform);
    await expect(platform.harness.bus.call(validatePurchase, { body }, context)).rejects.toMatchObject({
      reason: 'STORE_UNAVAILABLE',
      details: { store: 'google' },
    });
  });
});

function chainOf(receipt: string): string[] {
  const [header = ''] = receipt.split('.');
  return (JSON.parse(Buffer.from(header, 'base64url').toString()) as { x5c: string[] }).x5c;
}

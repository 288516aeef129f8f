import { describe, expect, it } from '@jest/globals';
import { validatePurchase } from '@vaultsvc/contracts/reporting';
import { newId } from '@vaultsvc/crypto/encoding';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { newCustomer, type Customer } from '../../testing/billing.js';
import { startGoogleServer, type Purchase } from '../../testing/google-server.js';
import { startPlatform } from '../../testing/platform.js';

const google = useFixture(startGoogleServer, (server) => server.stop());
const platform = useFixture(
  () =>
    startPlatform({
      GOOGLE_API_ORIGIN: google.origin,
      GOOGLE_TOKEN_URL: `${google.origin}/token`,
      GOOGLE_SERVICE_ACCOUNT: google.account,
      GOOGLE_PACKAGE_NAME: 'com.example.vault',
      GOOGLE_PRODUCTS: 'team-monthly=team,business-monthly=business',
    }),
  ({ harness }) => harness.stop(),
);

const inDays = (days: number) =>
  new Date(Math.floor(Date.now() / 1_000) * 1_000 + days * 86_400_000).toISOString();
const item = { productId: 'team-monthly', expiryTime: inDays(30) };
const active = { subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE', lineItems: [item] };
const validate = ({ context }: Customer, receipt: string) =>
  platform.harness.bus.call(validatePurchase, { body: { store: 'google', receipt } }, context);
/** The token of a purchase. */
const tokenOf = (purchase: Purchase) => {
  const token = newId('token_');
  google.purchases.set(token, purchase);
  return token;
};
const REFUSED = { reason: 'PURCHASE_REFUSED', code: 'CONFLICT' };

describe('BIL-11 OPEN-31: a purchase in Google Play', () => {
  it('starts the subscription of its product until it expires', async () => {
    const customer = newCustomer(platform);
    const token = tokenOf(active);
    const expires_at = Date.parse(item.expiryTime) / 1_000;
    expect(await validate(customer, token)).toMatchObject({
      store: 'google',
      product_id: 'team-monthly',
      expires_at,
      subscription: { status: 'active', biller: 'google', plan: 'team', current_period_end: expires_at },
    });
    expect(google.asked.at(-1)).toBe(
      `/androidpublisher/v3/applications/com.example.vault/purchases/subscriptionsv2/tokens/${token}`,
    );
    const [stored] = await platform.sql(`SELECT original_id FROM store_purchases WHERE account_id = $1`, [
      customer.accountId,
    ]);
    expect(JSON.stringify(stored)).not.toContain(token);
  });

  it('asks for one access token, also for concurrent purchases', async () => {
    const before = google.tokenRequests.length;
    await Promise.all([1, 2, 3, 4].map(() => validate(newCustomer(platform), tokenOf(active))));
    expect(google.tokenRequests.length - before).toBeLessThanOrEqual(platform.instances.length);
    expect(google.tokenRequests[0]).toMatchObject({
      scope: 'https://www.googleapis.com/auth/androidpublisher',
    });
  });

  it.each(['SUBSCRIPTION_STATE_CANCELED', 'SUBSCRIPTION_STATE_IN_GRACE_PERIOD'])(
    'goes on until it expires in the state %s',
    async (subscriptionState) => {
      const { subscription } = await validate(
        newCustomer(platform),
        tokenOf({ ...active, subscriptionState }),
      );
      expect(subscription).toMatchObject({ status: 'active', plan: 'team' });
    },
  );

  it('is that of the item that lasts longest, of products that are configured', async () => {
    const lineItems = [
      item,
      { productId: 'business-monthly', expiryTime: inDays(40) },
      { productId: 'other', expiryTime: inDays(99) },
    ];
    expect(await validate(newCustomer(platform), tokenOf({ ...active, lineItems }))).toMatchObject({
      product_id: 'business-monthly',
    });
  });

  it('belongs to the first account that claims it, with the purchase that it replaced', async () => {
    const [owner, other] = [newCustomer(platform), newCustomer(platform)];
    const old = tokenOf(active);
    await validate(owner, old);
    const upgraded = tokenOf({ ...active, linkedPurchaseToken: old });
    const reason = 'PURCHASE_CLAIMED';
    await expect(validate(other, old)).rejects.toMatchObject({ reason });
    await expect(validate(other, upgraded)).rejects.toMatchObject({ reason });
    expect(await other.subscription()).toMatchObject({ plan: 'default', biller: 'manual' });
    await validate(owner, upgraded);
  });

  it.each<[string, Purchase]>([
    ['is unknown', 404],
    ['is malformed', 400],
    ['is too old', 410],
    ['is on hold', { ...active, subscriptionState: 'SUBSCRIPTION_STATE_ON_HOLD' }],
    ['is not paid yet', { ...active, subscriptionState: 'SUBSCRIPTION_STATE_PENDING' }],
    ['has expired', { ...active, lineItems: [{ ...item, expiryTime: inDays(-1) }] }],
    ['has no item', { subscriptionState: 'SUBSCRIPTION_STATE_ACTIVE' }],
    ['is of another product', { ...active, lineItems: [{ ...item, productId: 'gold' }] }],
    ['has no readable expiry', { ...active, lineItems: [{ ...item, expiryTime: 'soon' }] }],
  ])('is refused when it %s', async (_, purchase) => {
    const customer = newCustomer(platform);
    await expect(validate(customer, tokenOf(purchase))).rejects.toMatchObject(REFUSED);
    expect(await customer.subscription()).toMatchObject({ plan: 'default' });
  });

  it('cannot name another path of the API', async () => {
    await expect(validate(newCustomer(platform), '../../orders/x?y')).rejects.toMatchObject(REFUSED);
    expect(google.asked.at(-1)).toContain('/tokens/..%2F..%2Forders%2Fx%3Fy');
  });

  it('is neither accepted nor refused while Google fails', async () => {
    const customer = newCustomer(platform);
    await expect(validate(customer, tokenOf(500))).rejects.toMatchObject({ reason: 'INTERNAL_ERROR' });
  });
});

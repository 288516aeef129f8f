import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig, secretText } from '@vaultsvc/config';
import { expectNumberSetting, type NumberSetting } from '@vaultsvc/testing/fixtures';
import { inspect } from 'node:util';
import { BillingConfig } from './billing-config.js';
import { serviceAccount } from './store-config.js';

/** The names of the settings that are reported, of those of billing. */
function problems(environment: Record<string, string>): string[] {
  try {
    loadConfig(BillingConfig, environment);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const names = error.problems.map((problem) => problem.split(' ')[0] ?? '');
    return names.filter((name) => /^(BILLING|STRIPE|APPLE|GOOGLE|PLANS)/.test(name));
  }
  return [];
}

describe('OPEN-31: the settings of billing', () => {
  it('need nothing by default: the provider is manual, and no store is configured', () => {
    expect(problems({})).toEqual([]);
  });

  it('OPEN-65: start in production with manual, whose tenants are not trusted by default', () => {
    expect(problems({ PROFILE: 'production', BILLING_PROVIDER: 'manual' })).toEqual([]);
    expect(new BillingConfig().BILLING_MANUAL_TRUSTS_TENANTS).toBe(false);
    expect(problems({ BILLING_MANUAL_TRUSTS_TENANTS: 'true' })).toEqual([]);
    expect(problems({ BILLING_MANUAL_TRUSTS_TENANTS: 'yes' })).toEqual(['BILLING_MANUAL_TRUSTS_TENANTS']);
  });

  it.each<NumberSetting>([
    ['BILLING_GRACE_DAYS', 14, 1, 365],
    ['STRIPE_MINIMUM_AMOUNT', 50, 1, 100_000],
    ['STRIPE_TIMEOUT_MS', 4_000, 100, 30_000],
  ])('have %s %d unless it is set, and keep its bounds', (...setting) => {
    expectNumberSetting(BillingConfig, setting);
  });

  it('need all of Stripe with Stripe', () => {
    const stripe = {
      BILLING_RETURN_URL: 'https://console.example.com/billing',
      STRIPE_SECRET_KEY: 'sk_live_hunter2',
      STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
      STRIPE_WEBHOOK_SECRET: 'whsec_hunter2',
    };
    expect(problems({ BILLING_PROVIDER: 'stripe' })).toEqual(Object.keys(stripe));
    expect(problems({ BILLING_PROVIDER: 'stripe', ...stripe })).toEqual([]);
    expect(problems({ BILLING_PROVIDER: 'paypal' })).toEqual(['BILLING_PROVIDER']);
    expect(problems({ BILLING_CURRENCY: 'EUR' })).toEqual(['BILLING_CURRENCY']);
  });

  it('need the app and the keys of a store with its products, and plans that exist', () => {
    expect(problems({ APPLE_PRODUCTS: 'a.b=team' })).toEqual(['APPLE_ROOT_CERTIFICATES', 'APPLE_BUNDLE_ID']);
    expect(problems({ GOOGLE_PRODUCTS: 'a=team' })).toEqual([
      'GOOGLE_PACKAGE_NAME',
      'GOOGLE_SERVICE_ACCOUNT',
    ]);
    for (const products of ['a.b=golden', 'a.b', '=team', 'a=team,,b=team'])
      expect(problems({ APPLE_PRODUCTS: products })).toContain('APPLE_PRODUCTS');
    expect(problems({ APPLE_ROOT_CERTIFICATES: 'bm8=' })).toEqual(['APPLE_ROOT_CERTIFICATES']);
    expect(problems({ GOOGLE_SERVICE_ACCOUNT: '{}' })).toEqual(['GOOGLE_SERVICE_ACCOUNT']);
  });

  it('OPEN-51: are asked for over https in production, and keep their secrets', () => {
    expect(problems({ STRIPE_API_ORIGIN: 'http://127.0.0.1:1' })).toEqual(['STRIPE_API_ORIGIN']);
    expect(problems({ STRIPE_API_ORIGIN: 'http://127.0.0.1:1', PROFILE: 'local' })).toEqual([]);
    const secrets = [serviceAccount('{"client_email":"a@b","private_key":"hunter2"}'), secretText('hunter2')];
    for (const shown of [inspect(secrets), JSON.stringify(secrets)]) expect(shown).not.toContain('hunter2');
  });
});

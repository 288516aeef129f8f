import { X509Certificate } from 'node:crypto';
import {
  encryptedHttp,
  httpUrl,
  list,
  oneOf,
  origin,
  Secret,
  Setting,
  text,
  type Parser,
  type Rule,
} from '@vaultsvc/config';
import { AuditSinksConfig } from './audit-sinks-config.js';
import { parseServiceAccount } from './service-account.js';
import type { PlanTable } from './plan-table.js';
import { productPlans } from './product-plans.js';

const certificate: Parser<X509Certificate> = (base64) => {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    throw new Error('must be certificates in DER, in base64, comma-separated');
  }
};

/** Parses the JSON key of a service account. */
export const serviceAccount: Parser<Secret> = (json) => {
  parseServiceAccount(json);
  return new Secret(json);
};

const withPlans: Rule<ReadonlyMap<string, string>> = (products, { PLANS }) => {
  const unknown = [...products.values()].find((plan) => !(PLANS as PlanTable).has(plan));
  return unknown === undefined ? undefined : `names the plan ${unknown}, which PLANS does not have`;
};

const withProducts =
  <T>(products: string, isMissing: (value: T) => boolean): Rule<T> =>
  (value, config) =>
    isMissing(value) && (config[products] as ReadonlyMap<string, string>).size > 0
      ? `is required with ${products}`
      : undefined;

/** Settings of app stores. Without products of a store its purchases are refused. */
export class StoreConfig extends AuditSinksConfig {
  @Setting(productPlans, 'Plans by product of the App Store: com.example.team.monthly=team,….', withPlans)
  APPLE_PRODUCTS: ReadonlyMap<string, string> = new Map();

  @Setting(
    list(certificate),
    'Root certificates of Apple that sign transactions (Apple Root CA - G3): DER in base64. Required with APPLE_PRODUCTS.',
    withProducts('APPLE_PRODUCTS', (roots) => roots.length === 0),
  )
  APPLE_ROOT_CERTIFICATES: readonly X509Certificate[] = [];

  @Setting(
    text,
    'Bundle id of the app in the App Store. Required with APPLE_PRODUCTS.',
    withProducts('APPLE_PRODUCTS', (id) => id === ''),
  )
  APPLE_BUNDLE_ID = '';

  @Setting(oneOf('Production', 'Sandbox'), 'Environment whose transactions are accepted.')
  APPLE_ENVIRONMENT: 'Production' | 'Sandbox' = 'Production';

  @Setting(productPlans, 'Plans by product of Google Play: team-monthly=team,….', withPlans)
  GOOGLE_PRODUCTS: ReadonlyMap<string, string> = new Map();

  @Setting(
    text,
    'Package name of the app in Google Play. Required with GOOGLE_PRODUCTS.',
    withProducts('GOOGLE_PRODUCTS', (name) => name === ''),
  )
  GOOGLE_PACKAGE_NAME = '';

  @Setting(
    serviceAccount,
    'JSON key of the service account that may read purchases. Required with GOOGLE_PRODUCTS.',
    withProducts('GOOGLE_PRODUCTS', (account) => account.reveal() === ''),
  )
  GOOGLE_SERVICE_ACCOUNT: Secret = new Secret('');

  @Setting(origin, 'Origin of the Google Play Developer API.', encryptedHttp)
  GOOGLE_API_ORIGIN = 'https://androidpublisher.googleapis.com';

  @Setting(httpUrl, 'Token endpoint of Google.', encryptedHttp)
  GOOGLE_TOKEN_URL = 'https://oauth2.googleapis.com/token';
}

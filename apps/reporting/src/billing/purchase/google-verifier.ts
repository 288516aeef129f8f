import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { sendOutbound } from '@vaultsvc/http';
import { ReportingConfig } from '../../config.js';
import { parseServiceAccount } from '../../settings/service-account.js';
import { GoogleAccess } from './google-access.js';
import type { StorePurchase, StoreVerifier } from './store-verifier.js';

const TIMEOUT_MS = 4_000;

/** A canceled subscription goes on until it expires. */
const ENTITLED: ReadonlySet<unknown> = new Set([
  'SUBSCRIPTION_STATE_ACTIVE',
  'SUBSCRIPTION_STATE_IN_GRACE_PERIOD',
  'SUBSCRIPTION_STATE_CANCELED',
]);

/** Statuses that say that a token is malformed, unknown or too old. */
const REFUSALS: ReadonlySet<number> = new Set([400, 404, 410]);

/** The parts of SubscriptionPurchaseV2 that are used. */
interface SubscriptionPurchase {
  readonly subscriptionState?: unknown;
  readonly linkedPurchaseToken?: unknown;
  readonly lineItems?: readonly { readonly productId?: unknown; readonly expiryTime?: unknown }[];
}

/** Verifies purchase tokens of Play Billing by asking Google (`purchases.subscriptionsv2.get`). */
@Injectable()
export class GoogleVerifier implements StoreVerifier {
  readonly store = 'google';
  readonly products: ReadonlyMap<string, string>;
  readonly #access: GoogleAccess | undefined;

  constructor(private readonly config: ReportingConfig) {
    const { GOOGLE_PRODUCTS, GOOGLE_SERVICE_ACCOUNT, GOOGLE_TOKEN_URL } = config;
    const key = GOOGLE_SERVICE_ACCOUNT.reveal();
    this.products = GOOGLE_PRODUCTS;
    if (key !== '') this.#access = new GoogleAccess(parseServiceAccount(key), GOOGLE_TOKEN_URL, TIMEOUT_MS);
  }

  async verify(receipt: string): Promise<StorePurchase> {
    const purchase = await this.#ask(receipt);
    if (!ENTITLED.has(purchase.subscriptionState)) throw new AppError('PURCHASE_REFUSED');
    const [item] = this.#itemsOf(purchase).sort((a, b) => b.expiresAt - a.expiresAt);
    if (!item || item.expiresAt * 1_000 <= Date.now()) throw new AppError('PURCHASE_REFUSED');
    const { linkedPurchaseToken: linked } = purchase;
    return { ...item, originalId: idOf(receipt), linkedId: typeof linked === 'string' ? idOf(linked) : null };
  }

  #itemsOf({ lineItems = [] }: SubscriptionPurchase) {
    return lineItems.flatMap(({ productId, expiryTime }) => {
      const expiresMs = typeof expiryTime === 'string' ? Date.parse(expiryTime) : NaN;
      const isOurs = typeof productId === 'string' && this.products.has(productId);
      return isOurs && expiresMs > 0 ? [{ productId, expiresAt: Math.floor(expiresMs / 1_000) }] : [];
    });
  }

  async #ask(token: string): Promise<SubscriptionPurchase> {
    const { GOOGLE_API_ORIGIN, GOOGLE_PACKAGE_NAME } = this.config;
    const app = encodeURIComponent(GOOGLE_PACKAGE_NAME);
    const path = `/androidpublisher/v3/applications/${app}/purchases/subscriptionsv2/tokens/${encodeURIComponent(token)}`;
    const { status, body } = await sendOutbound({
      method: 'GET',
      url: new URL(GOOGLE_API_ORIGIN + path),
      headers: { authorization: `Bearer ${await this.#access?.token()}` },
      timeoutMs: TIMEOUT_MS,
    });
    if (REFUSALS.has(status)) throw new AppError('PURCHASE_REFUSED');
    if (status !== 200) throw new Error(`Google answered ${status} to a purchase token`);
    return JSON.parse(body) as SubscriptionPurchase;
  }
}

/** A purchase token is a secret of its buyer, so its hash is kept. */
function idOf(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

import { X509Certificate } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { ReportingConfig } from '../../config.js';
import { keyOfAppleChain } from './apple-chain.js';
import type { StorePurchase, StoreVerifier } from './store-verifier.js';

/** A signed transaction (JWSTransactionDecodedPayload of the App Store Server API). Times are epoch milliseconds. */
interface AppleTransaction {
  readonly bundleId?: unknown;
  readonly environment?: unknown;
  readonly type?: unknown;
  readonly productId?: unknown;
  readonly originalTransactionId?: unknown;
  readonly expiresDate?: unknown;
  readonly revocationDate?: unknown;
  readonly signedDate?: unknown;
}

/** Verifies signed transactions of StoreKit 2 without asking Apple: the chain of certificates leads to Apple's root. */
@Injectable()
export class AppleVerifier implements StoreVerifier {
  readonly store = 'apple';
  readonly products: ReadonlyMap<string, string>;
  readonly #roots: readonly X509Certificate[];

  constructor(private readonly config: ReportingConfig) {
    this.products = config.APPLE_PRODUCTS;
    this.#roots = config.APPLE_ROOT_CERTIFICATES;
  }

  async verify(receipt: string): Promise<StorePurchase> {
    try {
      return this.#read(await this.#verified(receipt));
    } catch (error) {
      throw error instanceof AppError ? error : new AppError('PURCHASE_REFUSED', undefined, { cause: error });
    }
  }

  /**
   * The payload of a receipt with a valid signature. Its certificates must have been valid when it was signed: they expire earlier
   * than the purchases that they signed, so Apple's own library compares with that moment too.
   */
  async #verified(receipt: string): Promise<AppleTransaction> {
    const { alg, x5c = [] } = decodeProtectedHeader(receipt);
    if (alg !== 'ES256') throw new Error('a signed transaction is signed with ES256');
    const { signedDate } = parsePayload(receipt);
    if (!isTime(signedDate) || signedDate > Date.now() + CLOCK_SKEW_MS)
      throw new Error('a signed transaction has the time of its signature');
    const key = keyOfAppleChain(x5c, this.#roots, new Date(signedDate));
    if (!key) throw new Error('the chain of certificates does not lead to a configured root');
    const { payload } = await compactVerify(receipt, key, { algorithms: ['ES256'] });
    return JSON.parse(Buffer.from(payload).toString()) as AppleTransaction;
  }

  #read(transaction: AppleTransaction): StorePurchase {
    const { bundleId, environment, type, productId, originalTransactionId, expiresDate } = transaction;
    const { APPLE_BUNDLE_ID, APPLE_ENVIRONMENT } = this.config;
    const isOurs = bundleId === APPLE_BUNDLE_ID && environment === APPLE_ENVIRONMENT;
    const isSubscription = type === 'Auto-Renewable Subscription' && transaction.revocationDate === undefined;
    if (!isOurs || !isSubscription) throw new AppError('PURCHASE_REFUSED');
    if (typeof productId !== 'string' || !this.products.has(productId))
      throw new AppError('PURCHASE_REFUSED');
    if (typeof originalTransactionId !== 'string' || !/^\d{1,32}$/.test(originalTransactionId))
      throw new AppError('PURCHASE_REFUSED');
    if (!isTime(expiresDate) || expiresDate <= Date.now()) throw new AppError('PURCHASE_REFUSED');
    const expiresAt = Math.floor(expiresDate / 1_000);
    return { originalId: originalTransactionId, linkedId: null, productId, expiresAt };
  }
}

const CLOCK_SKEW_MS = 300_000;
/** The year 5138: a time in PostgreSQL and in a reply. */
const TIME_MS_MAX = 99_999_999_999_000;

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= TIME_MS_MAX;
}

/** The payload before its signature is verified. */
function parsePayload(receipt: string): AppleTransaction {
  const [, payload = ''] = receipt.split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as AppleTransaction;
}

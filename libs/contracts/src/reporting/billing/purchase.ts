import { exampleTime } from '../../core/example-values.js';
import { Example, exampleOf } from '../../core/example.js';
import { EpochSeconds, IdOf, Nested, OneOf, Text } from '../../core/fields.js';
import { operation } from '../../core/operation.js';
import { EVERY_SHARD } from '../../core/shards.js';
import { Subscription } from './subscription.js';

/** The app stores whose purchases are accepted. */
export const stores = ['apple', 'google'] as const;
export type Store = (typeof stores)[number];

/** Body of `validatePurchase`. */
@Example({
  receipt: 'eyJhbGciOiJFUzI1NiIsIng1YyI6W119.eyJwcm9kdWN0SWQiOiJjb20uZXhhbXBsZS50ZWFtIn0.c2lnbmF0dXJl',
})
export class PurchaseProof {
  @OneOf(stores) store: Store;
  @Text({
    min: 1,
    max: 16_384,
    description:
      'apple: the signed transaction (jwsRepresentation of StoreKit 2). google: the purchase token of Play Billing.',
  })
  receipt: string;
}

/** A purchase that is bound to the account, and the subscription that it pays for. */
@Example({
  product_id: 'com.example.team',
  expires_at: exampleTime(30 * 86_400),
  subscription: { ...exampleOf(Subscription), biller: 'apple' },
})
export class ValidatedPurchase {
  @OneOf(stores) store: Store;
  @Text({ max: 255, description: 'The product in the store.' }) product_id: string;
  @EpochSeconds({ description: 'When the store renews the purchase or lets it lapse.' }) expires_at: number;
  @Nested(() => Subscription) subscription: Subscription;
}

/**
 * Validates a purchase in an app and starts its subscription. Idempotent by the original transaction: after each renewal the
 * app sends the newer proof. A purchase belongs to the first account that claims it.
 */
export const validatePurchase = operation({
  name: 'reporting.validate-purchase',
  summary: 'Validates a purchase in an app of Apple or Google, and starts or renews its subscription.',
  http: { method: 'POST', path: '/v1/billing/iap/validate', status: 200 },
  idempotent: {},
  access: { credential: 'key', role: 'admin' },
  body: PurchaseProof,
  reply: ValidatedPurchase,
  errors: ['STORE_UNAVAILABLE', 'PURCHASE_REFUSED', 'PURCHASE_CLAIMED', 'SUBSCRIPTION_CHANGED'],
});

/** Body of `claimPurchase`. */
export class PurchaseClaim {
  @IdOf('acc') account_id: string;
  @OneOf(stores) store: Store;
  @Text({ max: 512, description: 'Stays the same over all renewals.' }) original_id: string;
  @Text({ max: 512, optional: true, description: 'The purchase that this one replaced in the store.' })
  linked_id?: string;
  @Text({ max: 255 }) product_id: string;
  @EpochSeconds() expires_at: number;
}

/** The purchase belongs to the account. */
export class PurchaseClaimed {}

/** Binds a purchase to an account of another shard. The shard with the lowest number decides for all of them. Idempotent. */
export const claimPurchase = operation({
  name: 'reporting.claim-purchase',
  summary: 'Binds a purchase in an app to an account, unless it is that of another one.',
  access: 'internal',
  callers: ['reporting'],
  shardBy: EVERY_SHARD,
  body: PurchaseClaim,
  reply: PurchaseClaimed,
  errors: ['PURCHASE_CLAIMED'],
  repeatable: true,
});

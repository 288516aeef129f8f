import { Controller } from '@nestjs/common';
import { AppError, assertAdmin, type ContextOf, type Input } from '@vaultsvc/contracts';
import { validatePurchase, type ValidatedPurchase } from '@vaultsvc/contracts/reporting';
import { Handles } from '@vaultsvc/messaging';
import { SubscriptionPresenter } from '../subscription/subscription-presenter.js';
import { AppleVerifier } from './apple-verifier.js';
import { GoogleVerifier } from './google-verifier.js';
import { PurchaseClaimer } from './purchase-claimer.js';

@Controller()
export class ValidatePurchase {
  constructor(
    private readonly apple: AppleVerifier,
    private readonly google: GoogleVerifier,
    private readonly claimer: PurchaseClaimer,
    private readonly presenter: SubscriptionPresenter,
  ) {}

  @Handles(validatePurchase)
  async handle(
    { body }: Input<typeof validatePurchase>,
    context: ContextOf<typeof validatePurchase>,
  ): Promise<ValidatedPurchase> {
    assertAdmin(context);
    const { store, receipt } = body;
    const verifier = { apple: this.apple, google: this.google }[store];
    if (verifier.products.size === 0) throw new AppError('STORE_UNAVAILABLE', { store });
    const purchase = await verifier.verify(receipt);
    const { productId, expiresAt, state } = await this.claimer.claim(context, verifier, purchase);
    const subscription = this.presenter.present(state);
    return { store, product_id: productId, expires_at: expiresAt, subscription };
  }
}

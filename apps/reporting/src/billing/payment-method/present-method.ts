import type { PaymentMethod } from '@vaultsvc/contracts/reporting';
import type { MethodRecord } from './payment-method.repository.js';

/** A payment method as callers see it, without its reference at the provider. */
export function presentMethod(method: MethodRecord): PaymentMethod {
  return {
    payment_method_id: method.id,
    provider: method.provider,
    type: method.type,
    label: method.label,
    brand: method.brand,
    last4: method.last4,
    exp_month: method.expMonth,
    exp_year: method.expYear,
    is_default: method.isDefault,
    created_at: method.createdAt,
  };
}

import { ApiError } from '@vaultsvc/client';
import { errorText } from '../../api/error-text.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { ProviderPageRefused } from './leave-for.js';

/** The sentence for an error of billing: what to do next, in the words of this page. */
export function billingErrorText(error: unknown): string {
  if (error instanceof ProviderPageRefused) return error.message;
  if (!(error instanceof ApiError)) return errorText(error);
  switch (error.reason) {
    case 'SUBSCRIPTION_CHANGED':
    case 'PREVIEW_EXPIRED':
      return texts.previewOver;
    case 'ALLOWANCE_IN_USE':
      return texts.inUse(error.details['resource']);
    case 'PAYMENT_METHOD_MISSING':
      return texts.noMethod;
    case 'BILLING_OF_OPERATOR':
      return texts.ofOperator;
    default:
      return errorText(error);
  }
}

/** Whether the cost that was shown does not hold any more. */
export function isPreviewOver(error: unknown): boolean {
  return error instanceof ApiError && /^(SUBSCRIPTION_CHANGED|PREVIEW_EXPIRED)$/.test(error.reason ?? '');
}

import type { Provider, Type } from '@nestjs/common';
import type { Job } from '@vaultsvc/service';
import { CheckoutCompleter } from './checkout/checkout-completer.js';
import { CheckoutRepository } from './checkout/checkout.repository.js';
import { OpenCheckout } from './checkout/open-checkout.handler.js';
import { OpenPortal } from './checkout/open-portal.handler.js';
import { InvoiceRepository } from './invoice/invoice.repository.js';
import { ListInvoices } from './invoice/list-invoices.handler.js';
import { AddPaymentMethod } from './payment-method/add-payment-method.handler.js';
import { DeletePaymentMethod } from './payment-method/delete-payment-method.handler.js';
import { ListPaymentMethods } from './payment-method/list-payment-methods.handler.js';
import { MakeDefaultPaymentMethod } from './payment-method/make-default-payment-method.handler.js';
import { MethodDetacher } from './payment-method/method-detacher.js';
import { PaymentMethodRepository } from './payment-method/payment-method.repository.js';
import { SetUpPaymentMethod } from './payment-method/set-up-payment-method.handler.js';
import { ChargeInvoice } from './payment/charge-invoice.handler.js';
import { CollectInvoices } from './payment/collect-invoices.job.js';
import { FinishPayments } from './payment/finish-payments.job.js';
import { PaymentCollector } from './payment/payment-collector.js';
import { PaymentRepository } from './payment/payment.repository.js';
import { BillingTerms } from './quote/billing-terms.js';
import { billingProvider } from './provider/configured-provider.js';
import { CustomerRepository } from './provider/customer.repository.js';
import { ProviderEventRepository } from './provider/stripe/provider-event.repository.js';
import { ReceiveStripeEvent } from './provider/stripe/receive-stripe-event.handler.js';
import { StripeEventApplier } from './provider/stripe/stripe-event-applier.js';
import { StripeGuard } from './provider/stripe/stripe-guard.js';
import { AppleVerifier } from './purchase/apple-verifier.js';
import { GoogleVerifier } from './purchase/google-verifier.js';
import { PurchaseClaimer } from './purchase/purchase-claimer.js';
import { PurchaseRepository } from './purchase/purchase.repository.js';
import { ValidatePurchase } from './purchase/validate-purchase.handler.js';
import { AdjustSubscription } from './subscription/adjust-subscription.handler.js';
import { Adjuster } from './subscription/adjuster.js';
import { ChangeSeats } from './subscription/change-seats.handler.js';
import { PreviewAdjustment } from './subscription/preview-adjustment.handler.js';
import { ReadSubscription } from './subscription/read-subscription.handler.js';
import { RenewSubscriptions } from './subscription/renew-subscriptions.job.js';
import { ReviewStanding } from './subscription/review-standing.job.js';
import { StartSubscription } from './subscription/start-subscription.handler.js';
import { SubscriptionChanger } from './subscription/subscription-changer.js';
import { SubscriptionPresenter } from './subscription/subscription-presenter.js';
import { SubscriptionRepository } from './subscription/subscription.repository.js';

/** The handlers of billing. */
export const billingControllers: readonly Type[] = [
  ReadSubscription,
  StartSubscription,
  PreviewAdjustment,
  AdjustSubscription,
  ChangeSeats,
  ListPaymentMethods,
  AddPaymentMethod,
  SetUpPaymentMethod,
  DeletePaymentMethod,
  MakeDefaultPaymentMethod,
  ListInvoices,
  ChargeInvoice,
  OpenCheckout,
  OpenPortal,
  ValidatePurchase,
  ReceiveStripeEvent,
];

/** What the handlers and jobs of billing are made of. */
export const billingProviders: readonly Provider[] = [
  billingProvider,
  BillingTerms,
  SubscriptionRepository,
  SubscriptionChanger,
  SubscriptionPresenter,
  Adjuster,
  InvoiceRepository,
  PaymentRepository,
  PaymentCollector,
  PaymentMethodRepository,
  CheckoutRepository,
  PurchaseRepository,
  PurchaseClaimer,
  AppleVerifier,
  GoogleVerifier,
  CustomerRepository,
  StripeGuard,
  StripeEventApplier,
];

/** The jobs of billing. */
export const billingJobs: readonly Type<Job>[] = [
  RenewSubscriptions,
  ReviewStanding,
  CollectInvoices,
  FinishPayments,
  MethodDetacher,
  CheckoutCompleter,
  ProviderEventRepository,
];

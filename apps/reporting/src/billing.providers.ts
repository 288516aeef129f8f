import type { Provider, Type } from '@nestjs/common';
import type { Job } from '@vaultsvc/service';
import { Shards } from './shards/shards.js';
import { CheckoutCompleter } from './billing/checkout/checkout-completer.js';
import { CheckoutRepository } from './billing/checkout/checkout.repository.js';
import { OpenCheckout } from './billing/checkout/open-checkout.handler.js';
import { OpenPortal } from './billing/checkout/open-portal.handler.js';
import { InvoiceRepository } from './billing/invoice/invoice.repository.js';
import { ListInvoices } from './billing/invoice/list-invoices.handler.js';
import { AddPaymentMethod } from './billing/payment-method/add-payment-method.handler.js';
import { DeletePaymentMethod } from './billing/payment-method/delete-payment-method.handler.js';
import { ListPaymentMethods } from './billing/payment-method/list-payment-methods.handler.js';
import { MakeDefaultPaymentMethod } from './billing/payment-method/make-default-payment-method.handler.js';
import { MethodDetacher } from './billing/payment-method/method-detacher.js';
import { PaymentMethodRepository } from './billing/payment-method/payment-method.repository.js';
import { SetUpPaymentMethod } from './billing/payment-method/set-up-payment-method.handler.js';
import { ChargeInvoice } from './billing/payment/charge-invoice.handler.js';
import { CollectInvoices } from './billing/payment/collect-invoices.job.js';
import { FinishPayments } from './billing/payment/finish-payments.job.js';
import { PaymentCollector } from './billing/payment/payment-collector.js';
import { PaymentRepository } from './billing/payment/payment.repository.js';
import { BillingTerms } from './billing/subscription/billing-terms.js';
import { billingProvider } from './billing/stripe/configured-provider.js';
import { CustomerRepository } from './billing/stripe/customer.repository.js';
import { ProviderEventRepository } from './billing/stripe/provider-event.repository.js';
import { ApplyStripeEvent } from './billing/stripe/apply-stripe-event.handler.js';
import { ReceiveStripeEvent } from './billing/stripe/receive-stripe-event.handler.js';
import { StripeEventApplier } from './billing/stripe/stripe-event-applier.js';
import { StripeGuard } from './billing/stripe/stripe-guard.js';
import { AppleVerifier } from './billing/purchase/apple-verifier.js';
import { ClaimPurchase } from './billing/purchase/claim-purchase.handler.js';
import { GoogleVerifier } from './billing/purchase/google-verifier.js';
import { PurchaseClaimer } from './billing/purchase/purchase-claimer.js';
import { PurchaseRepository } from './billing/purchase/purchase.repository.js';
import { ValidatePurchase } from './billing/purchase/validate-purchase.handler.js';
import { AdjustSubscription } from './billing/subscription/adjust-subscription.handler.js';
import { Adjuster } from './billing/subscription/adjuster.js';
import { ChangeSeats } from './billing/subscription/change-seats.handler.js';
import { PreviewAdjustment } from './billing/subscription/preview-adjustment.handler.js';
import { ReadSubscription } from './billing/subscription/read-subscription.handler.js';
import { RenewSubscriptions } from './billing/subscription/renew-subscriptions.job.js';
import { ReviewStanding } from './billing/subscription/review-standing.job.js';
import { StartSubscription } from './billing/subscription/start-subscription.handler.js';
import { SubscriptionChanger } from './billing/subscription/subscription-changer.js';
import { SubscriptionPresenter } from './billing/subscription/subscription-presenter.js';
import { SubscriptionRepository } from './billing/subscription/subscription.repository.js';
import { TenantBilling } from './billing/subscription/tenant-billing.js';

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
  ApplyStripeEvent,
  ClaimPurchase,
];

/** What the handlers and jobs of billing are made of. */
export const billingProviders: readonly Provider[] = [
  billingProvider,
  Shards,
  BillingTerms,
  SubscriptionRepository,
  SubscriptionChanger,
  SubscriptionPresenter,
  TenantBilling,
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

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';

const PAGE = 25;

export type Subscription = Schema<'Subscription'>;
export type Invoice = Schema<'Invoice'>;
export type PaymentMethod = Schema<'PaymentMethod'>;

export const billingKeys = {
  subscription: ['billing', 'subscription'],
  invoices: ['billing', 'invoices'],
  methods: ['billing', 'methods'],
} as const;

export function useSubscription() {
  const client = useClient();
  return useQuery({
    queryKey: billingKeys.subscription,
    queryFn: async ({ signal }) => (await client.GET('/v1/billing/subscription', { signal })).data,
  });
}

/** People who use a seat; undefined until it is known, because the rest of the page does not wait for it. */
export function useUsedSeats(): number | undefined {
  const client = useClient();
  const { data } = useQuery({
    queryKey: [...queryKeys.usage, 'pools'],
    queryFn: async ({ signal }) => (await client.GET('/v1/usage/pools', { signal })).data,
  });
  return data?.identity.used;
}

/** Newest first, page by page. */
export function useInvoices() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: billingKeys.invoices,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const params = { query: { limit: PAGE, cursor } };
      return (await client.GET('/v1/billing/invoices', { params, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

export function usePaymentMethods() {
  const client = useClient();
  return useQuery({
    queryKey: billingKeys.methods,
    queryFn: async ({ signal }) =>
      (await client.GET('/v1/billing/payment-methods', { signal })).data.payment_methods,
  });
}

/** Shows a changed subscription, and reads again what follows from it: invoices, and the limits of Usage. */
export function useShowChange(): (subscription: Subscription) => Promise<void> {
  const queries = useQueryClient();
  return async (subscription) => {
    queries.setQueryData(billingKeys.subscription, subscription);
    await Promise.all([
      queries.invalidateQueries({ queryKey: billingKeys.invoices }),
      queries.invalidateQueries({ queryKey: queryKeys.usage }),
    ]);
  };
}

import { QueryClient } from '@tanstack/react-query';

/**
 * The cache of what places read; in memory, emptied at sign-out. The client of the API repeats calls itself, so queries do not. Secrets
 * are never read by a query: a query repeats, and keeps.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: false, staleTime: 15_000, networkMode: 'always' },
    mutations: { retry: false, networkMode: 'always', gcTime: 0 },
  },
});

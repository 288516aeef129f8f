import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';

/** Events of the activity that are shown; the audit log has all. */
export const ACTIVITY_EVENTS = 50;

const VAULTS_MAX = 500;

export type Period = 'day' | 'week' | 'month' | 'quarter';

export function usePools() {
  const client = useClient();
  return useQuery({
    queryKey: [...queryKeys.usage, 'pools'],
    queryFn: async ({ signal }) => (await client.GET('/v1/usage/pools', { signal })).data,
  });
}

/** The counts of a period in hours or UTC days; those of the period before stay until they are read. */
export function useCounts(period: Period) {
  const client = useClient();
  return useQuery({
    queryKey: [...queryKeys.usage, 'counts', period],
    queryFn: async ({ signal }) => {
      const params = { query: { period } };
      return (await client.GET('/v1/analytics/usage-over-time', { params, signal })).data;
    },
    placeholderData: keepPreviousData,
  });
}

/** The transferred bytes of the last 30 days. */
export function useBandwidth() {
  const client = useClient();
  return useQuery({
    queryKey: [...queryKeys.usage, 'bandwidth'],
    queryFn: async ({ signal }) => (await client.GET('/v1/usage/bandwidth', { signal })).data,
  });
}

/** The newest vaults, with what each stores and has transferred. */
export function useVaultFigures() {
  const client = useClient();
  return useQuery({
    queryKey: [...queryKeys.usage, 'vaults'],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: VAULTS_MAX, status: 'active' as const } };
      return (await client.GET('/v1/vaults', { params, signal })).data;
    },
  });
}

export function useActivity() {
  const client = useClient();
  return useQuery({
    queryKey: [...queryKeys.usage, 'activity'],
    queryFn: async ({ signal }) => {
      const params = { query: { limit: String(ACTIVITY_EVENTS) } };
      return (await client.GET('/v1/analytics/activity', { params, signal })).data;
    },
  });
}

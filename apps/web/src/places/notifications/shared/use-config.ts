import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../../session/session-context.js';
import { notifyKeys } from './notify-keys.js';

/** The configuration; targets come without their secrets. */
export function useConfig() {
  const client = useClient();
  return useQuery({
    queryKey: notifyKeys.config,
    queryFn: async ({ signal }) => (await client.GET('/v1/products/notify/config', { signal })).data,
  });
}

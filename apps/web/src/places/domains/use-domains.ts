import { useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';

export const domainsKey = ['domains'];

/** The claimed domains; an organization has ten at most. */
export function useDomains() {
  const client = useClient();
  return useQuery({
    queryKey: domainsKey,
    queryFn: async ({ signal }) => (await client.GET('/v1/domains', { signal })).data.domains,
  });
}

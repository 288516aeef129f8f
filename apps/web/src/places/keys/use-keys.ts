import { useInfiniteQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';

export const keysKey = ['keys'];

/** The keys of the organization without their secrets, newest first, page by page. */
export function useKeys() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: keysKey,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: 100, cursor };
      const { data } = await client.GET('/v1/api-keys', { params: { query }, signal });
      return data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

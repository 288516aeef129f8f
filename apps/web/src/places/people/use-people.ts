import { useInfiniteQuery } from '@tanstack/react-query';
import { queryKeys } from '../../api/query-keys.js';
import { useClient } from '../../session/session-context.js';

/** The people of the organization, oldest first, page by page. */
export function usePeople() {
  const client = useClient();
  return useInfiniteQuery({
    queryKey: queryKeys.people,
    queryFn: async ({ pageParam: cursor, signal }) => {
      const { data } = await client.GET('/v1/users', { params: { query: { limit: 100, cursor } }, signal });
      return data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
  });
}

import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useClient } from '../../session/session-context.js';
import { hasDaysInOrder, secondsOf, type AuditFilter } from './filter-address.js';

const PAGE = 50;
const NAMES_MAX = 100;
const VAULTS_MAX = 500;

export const auditKeys = {
  entries: ['audit', 'entries'],
  integrity: ['audit', 'integrity'],
  actors: ['audit', 'actors'],
  vaults: ['audit', 'vaults'],
} as const;

/** The entries of a filter, newest first, page by page; those of the filter before stay until they are read. */
export function useEntries(filter: AuditFilter) {
  const client = useClient();
  const { type, actor } = filter;
  return useInfiniteQuery({
    queryKey: [...auditKeys.entries, filter],
    queryFn: async ({ pageParam: cursor, signal }) => {
      const query = { limit: PAGE, cursor, event_types: type, actor, ...secondsOf(filter) };
      return (await client.GET('/v1/audit-logs', { params: { query }, signal })).data;
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next,
    placeholderData: keepPreviousData,
    enabled: hasDaysInOrder(filter),
  });
}

/** Whether the newest entries follow from each other, and match the public log. */
export function useIntegrity() {
  const client = useClient();
  return useQuery({
    queryKey: auditKeys.integrity,
    queryFn: async ({ signal }) => (await client.GET('/v1/audit-logs/integrity', { signal })).data,
    // An answer of before proves nothing about now.
    staleTime: 0,
  });
}

export interface ActorName {
  readonly id: string;
  readonly kind: 'person' | 'api_key';
  readonly name: string;
}

/** People and API keys by name, to choose from. */
export function useActors() {
  const client = useClient();
  return useQuery({
    queryKey: auditKeys.actors,
    queryFn: async ({ signal }): Promise<readonly ActorName[]> => {
      const settings = { params: { query: { limit: NAMES_MAX } }, signal };
      const [people, keys] = await Promise.all([
        client.GET('/v1/users', settings),
        client.GET('/v1/api-keys', settings),
      ]);
      return [
        ...people.data.users.map(({ user_id: id, email }) => ({ id, kind: 'person', name: email }) as const),
        ...keys.data.api_keys.map(({ api_key_id: id, name }) => ({ id, kind: 'api_key', name }) as const),
      ];
    },
  });
}

/** The names of vaults by id; without those that were deleted. */
export function useVaultNames() {
  const client = useClient();
  return useQuery({
    queryKey: auditKeys.vaults,
    queryFn: async ({ signal }) => {
      const params = { query: { limit: VAULTS_MAX } };
      const { data } = await client.GET('/v1/vaults', { params, signal });
      return new Map(data.vaults.map(({ vault_id: id, name }) => [id, name]));
    },
  });
}

import { useQuery } from '@tanstack/react-query';
import type { Client } from '@vaultsvc/client';
import { useClient } from '../../../session/session-context.js';
import { notifyKeys } from './notify-keys.js';

const PAGES_MAX = 10;

/** The people of the organization who have joined, by address and name; the first thousand. */
export function useColleagues() {
  const client = useClient();
  return useQuery({
    queryKey: notifyKeys.colleagues,
    queryFn: ({ signal }) => readColleagues(client, signal),
    staleTime: 60_000,
  });
}

async function readColleagues(client: Client, signal: AbortSignal) {
  const people: { readonly address: string; readonly name: string | undefined }[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = { query: { limit: 100, cursor } };
    const { data } = await client.GET('/v1/users', { params, signal });
    const joined = data.users.filter(({ status }) => status === 'active');
    people.push(...joined.map(({ email, name }) => ({ address: email, name: name ?? undefined })));
    cursor = data.next_cursor;
    if (cursor === undefined) break;
  }
  return people;
}

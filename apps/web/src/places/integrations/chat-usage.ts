import { useQuery } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useClient } from '../../session/session-context.js';
import { integrationsKey } from './use-apps.js';

type Data = Schema<'ChatAnalyticsData'>;
type ChatRecord = NonNullable<Data['records']>[number];

export interface PersonUsage {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly read: number;
}

/** The usage of the chat in the last 30 days. */
export function useChatUsage(isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: [...integrationsKey, 'chat-usage'],
    enabled: isEnabled,
    queryFn: async ({ signal }) => {
      const { data } = await client.GET('/v1/apps/chatapp/analytics', { signal });
      const { records = [], totals, truncated = false, installation } = data.data;
      return {
        people: peopleOf(records),
        created: totals?.sparks_created ?? 0,
        read: totals?.sparks_read ?? 0,
        isPartial: truncated,
        workspace: installation?.team_name ?? undefined,
      };
    },
  });
}

/** Sums of the days by person, most sent first. */
export function peopleOf(records: readonly ChatRecord[]): readonly PersonUsage[] {
  const people = new Map<string, PersonUsage>();
  for (const { slack_user_id: id, username, sparks_created, sparks_read } of records) {
    const known = people.get(id);
    const created = (known?.created ?? 0) + sparks_created;
    people.set(id, { id, name: username, created, read: (known?.read ?? 0) + sparks_read });
  }
  return [...people.values()].sort((a, b) => b.created - a.created || b.read - a.read);
}

import { useQuery } from '@tanstack/react-query';
import { pages, type Client, type Schema } from '@vaultsvc/client';
import { useClient } from '../../session/session-context.js';

export type App = Schema<'App'>;
export type AppId = App['app_id'];

export const integrationsKey = ['integrations'];

/** An integration, with the person or program that has installed it, where the audit log still names them. */
export interface ListedApp extends App {
  readonly installedBy: string | undefined;
}

/** All integrations, connected or not. */
export function useApps() {
  const client = useClient();
  return useQuery({
    queryKey: integrationsKey,
    queryFn: async ({ signal }): Promise<readonly ListedApp[]> => {
      const { data } = await client.GET('/v1/apps', { signal });
      const [installers, ...apps] = await Promise.all([
        data.installed.length > 0 ? readInstallers(client, signal) : new Map<string, string>(),
        ...data.available.map((id) => readApp(client, id, signal)),
      ]);
      return apps.map((app) => ({ ...app, installedBy: installers.get(app.app_id) }));
    },
  });
}

async function readApp(client: Client, id: string, signal: AbortSignal): Promise<App> {
  return (await client.GET('/v1/apps/{app_id}', { params: { path: { app_id: id } }, signal })).data;
}

/** The installations of the audit log by their apps, the last one of each. Nobody misses a name that cannot be read. */
async function readInstallers(client: Client, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const query = { event_types: 'app_installed', limit: 100 };
  const entries = await client.GET('/v1/audit-logs', { params: { query }, signal }).then(
    ({ data }) => data.entries,
    () => [],
  );
  const named = entries.flatMap(({ details, actor_display: name }) =>
    name === null ? [] : [[String(details['app_id']), name] as const],
  );
  // Newest first, and a map keeps the last one.
  return new Map(named.reverse());
}

/** The vaults of the organization, for the choice of one. */
export function useVaultChoice(isEnabled: boolean) {
  const client = useClient();
  return useQuery({
    queryKey: [...integrationsKey, 'vaults'],
    enabled: isEnabled,
    // The person may have made a vault because there was none.
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const vaults: Pick<Schema<'Vault'>, 'vault_id' | 'name'>[] = [];
      for await (const page of pages(client, '/v1/vaults', { params: { query: { limit: 100 } }, signal }))
        vaults.push(...page.vaults.filter(({ status }) => status !== 'deleting'));
      return vaults;
    },
  });
}

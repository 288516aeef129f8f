import { useQueryClient } from '@tanstack/react-query';
import type { Schema } from '@vaultsvc/client';
import { useClient } from '../../../session/session-context.js';
import { notifyKeys } from '../shared/notify-keys.js';

export type Config = Schema<'NotifyConfigurationState'>;

/** Stores changes; what they do not name stays. The page then shows what the API has stored. Rejects with the refusal. */
export function useConfigChange() {
  const client = useClient();
  const queries = useQueryClient();
  return async (body: Schema<'NotifyConfigurationChanges'>): Promise<Config> => {
    const { data } = await client.PUT('/v1/products/notify/config', { body });
    queries.setQueryData(notifyKeys.config, withoutSecret(data));
    return data;
  };
}

/** Queries keep no secrets: a new one is shown by the form that made it. */
function withoutSecret({ targets, ...config }: Config): Config {
  const webhook = targets?.webhook && { url: targets.webhook.url };
  return { ...config, targets: targets && { ...targets, webhook } };
}

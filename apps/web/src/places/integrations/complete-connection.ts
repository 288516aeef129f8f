import type { Client } from '@vaultsvc/client';
import type { PendingConnection } from './pending-connection.js';
import { sessionSecretStore } from './session-secret.js';

/** Exchanges the code of a provider. A new org has a secret, which the place then shows this once. Rejects with the refusal. */
export async function completeConnection(
  client: Client,
  { appId, state, redirectUri, vaultId = '' }: PendingConnection,
  code: string,
): Promise<void> {
  const body = { code, state, redirect_uri: redirectUri };
  const crmBody = { ...body, vault_id: vaultId };
  switch (appId) {
    case 'chatapp':
      return void (await client.POST('/v1/apps/chatapp/oauth/callback', { body }));
    case 'crma':
      return void (await client.POST('/v1/apps/crma/oauth/callback', { body: crmBody }));
    case 'crmb': {
      const { data } = await client.POST('/v1/apps/crmb/oauth/callback', { body: crmBody });
      const { org_id: org, session_secret: secret } = data;
      if (secret !== undefined) sessionSecretStore.set({ kept: { org, secret } });
    }
  }
}

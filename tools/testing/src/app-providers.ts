import { chatProvider, type ChatProvider } from '../../integrations/chat/chat-api.ts';
import { crmaProvider, type CrmaProvider } from '../../integrations/crm/crma-api.ts';
import { crmbProvider, type CrmbProvider } from '../../integrations/crm/crmb-api.ts';

/** The emulated providers of the integrations, and the settings with which the service uses them. */
export interface AppProviders {
  readonly chat: ChatProvider;
  readonly crma: CrmaProvider;
  readonly crmb: CrmbProvider;
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const client = { clientId: 'app', clientSecret: 'hunter2' };

/** Starts all of them on free ports. */
export async function startAppProviders(): Promise<AppProviders> {
  const [chat, crma, crmb] = [chatProvider(client), crmaProvider(client), crmbProvider(client)];
  await Promise.all([chat, crma, crmb].map((provider) => provider.start(0)));
  return {
    chat,
    crma,
    crmb,
    settings: {
      CHATAPP_API_ORIGIN: chat.url,
      CHATAPP_CLIENT_ID: client.clientId,
      CHATAPP_CLIENT_SECRET: client.clientSecret,
      CHATAPP_SIGNING_SECRET: 'signing secret',
      CRMA_API_ORIGIN: crma.url,
      CRMA_AUTHORIZE_ORIGIN: crma.url,
      CRMA_CLIENT_ID: client.clientId,
      CRMA_CLIENT_SECRET: client.clientSecret,
      CRMB_LOGIN_ORIGIN: crmb.url,
      CRMB_CLIENT_ID: client.clientId,
      CRMB_CLIENT_SECRET: client.clientSecret,
      CRMB_SESSION_SECRET: 'session secret of 32 bytes at least',
    },
    stop: async () => {
      await Promise.all([chat, crma, crmb].map((provider) => provider.stop()));
    },
  };
}

// The emulated providers of the integrations, one origin each. Their credentials are in the environment; the folder `--state` keeps
// what is connected.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chatProvider } from './chat/chat-api.ts';
import { ActingChat, ActingCrma, ActingCrmb } from './acting.ts';
import { KeptMap } from './kept-map.ts';
import { crmaProvider } from './crm/crma-api.ts';
import { crmbProvider } from './crm/crmb-api.ts';

const { values } = parseArgs({
  options: {
    'chat-port': { type: 'string' },
    'crma-port': { type: 'string' },
    'crmb-port': { type: 'string' },
    state: { type: 'string' },
  },
});
const {
  CHATAPP_CLIENT_ID,
  CHATAPP_CLIENT_SECRET,
  CRMA_CLIENT_ID,
  CRMA_CLIENT_SECRET,
  CRMB_CLIENT_ID,
  CRMB_CLIENT_SECRET,
} = process.env;

function client(clientId: string | undefined, clientSecret: string | undefined) {
  if (!clientId || !clientSecret) throw new Error('the credentials of an app are not in the environment');
  return { clientId, clientSecret };
}

const {
  API_ORIGIN: apiUrl = '',
  CHATAPP_SIGNING_SECRET: signingSecret = '',
  CRMB_SESSION_SECRET: sessionSecret = '',
} = process.env;
const chat = client(CHATAPP_CLIENT_ID, CHATAPP_CLIENT_SECRET);
const crma = client(CRMA_CLIENT_ID, CRMA_CLIENT_SECRET);
const crmb = client(CRMB_CLIENT_ID, CRMB_CLIENT_SECRET);
const fileOf = (name: string) =>
  values.state === undefined ? undefined : join(values.state, `${name}.json`);
const providers = {
  chat: chatProvider(chat, new ActingChat({ apiUrl, signingSecret }), fileOf('chat')),
  crma: crmaProvider(crma, new ActingCrma({ apiUrl, clientSecret: crma.clientSecret }), fileOf('crma')),
  crmb: crmbProvider(
    crmb,
    new ActingCrmb({ apiUrl, sessionSecret, secrets: new KeptMap(fileOf('crmb-secrets')) }),
    fileOf('crmb'),
  ),
};
const servers = await Promise.all([
  providers.chat.start(Number(values['chat-port'])),
  providers.crma.start(Number(values['crma-port'])),
  providers.crmb.start(Number(values['crmb-port'])),
]);
const stop = async () => {
  await Promise.all(servers.map((server) => server.stop()));
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

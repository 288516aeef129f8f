// The emulated providers of the integrations, one origin each. Their credentials are in the environment.
import { parseArgs } from 'node:util';
import { chatProvider } from './chat/chat-api.mjs';
import { crmaProvider } from './crm/crma-api.mjs';
import { crmbProvider } from './crm/crmb-api.mjs';

const { values } = parseArgs({
  options: {
    'chat-port': { type: 'string' },
    'crma-port': { type: 'string' },
    'crmb-port': { type: 'string' },
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

/**
 * @param {string | undefined} clientId
 * @param {string | undefined} clientSecret
 */
function client(clientId, clientSecret) {
  if (!clientId || !clientSecret) throw new Error('the credentials of an app are not in the environment');
  return { clientId, clientSecret };
}

const servers = await Promise.all([
  chatProvider(client(CHATAPP_CLIENT_ID, CHATAPP_CLIENT_SECRET)).start(Number(values['chat-port'])),
  crmaProvider(client(CRMA_CLIENT_ID, CRMA_CLIENT_SECRET)).start(Number(values['crma-port'])),
  crmbProvider(client(CRMB_CLIENT_ID, CRMB_CLIENT_SECRET)).start(Number(values['crmb-port'])),
]);
const stop = async () => {
  await Promise.all(servers.map((server) => server.stop()));
  process.exit(0);
};
process.once('SIGTERM', () => void stop());
process.once('SIGINT', () => void stop());

import { once } from 'node:events';
import { MessageStore } from './message-store.mjs';
import { smtpServer } from './smtp.mjs';
import { webServer } from './web.mjs';

/**
 * Starts the inbox in this process: SMTP on one port, the page and the JSON API on the other.
 * @param {object} options
 * @param {number} options.httpPort 0 for a free one
 * @param {number} options.smtpPort 0 for a free one
 * @param {string} options.host
 */
export async function startInbox({ httpPort, smtpPort, host }) {
  const inbox = new MessageStore();
  const smtp = smtpServer(inbox);
  const web = webServer(inbox, host);
  const [http, mail] = await Promise.all([listen(web, httpPort, host), listen(smtp, smtpPort, host)]);
  smtp.on('error', () => {}); // a client that disconnects is not an error
  return {
    inbox,
    httpUrl: `http://${host}:${http}`,
    smtpUrl: `smtp://${host}:${mail}`,
    stop: async () => {
      web.closeAllConnections();
      await Promise.all([
        new Promise((resolve) => web.close(resolve)),
        new Promise((resolve) => smtp.close(() => resolve(undefined))),
      ]);
    },
  };
}

/**
 * @param {import('node:http').Server | import('smtp-server').SMTPServer} server
 * @param {number} port
 * @param {string} host
 * @returns {Promise<number>} the actual port
 */
async function listen(server, port, host) {
  server.listen(port, host);
  const listener = 'server' in server ? server.server : server;
  await Promise.race([
    once(listener, 'listening'),
    once(server, 'error').then(([error]) => Promise.reject(error)),
  ]);
  return /** @type {import('node:net').AddressInfo} */ (listener.address()).port;
}

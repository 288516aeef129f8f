import { once } from 'node:events';
import { apnsServer } from './apns.mjs';
import { MessageStore } from './message-store.mjs';
import { smtpServer } from './smtp.mjs';
import { webServer } from './web.mjs';

/**
 * Starts the inbox in this process: SMTP and APNs on ports of their own, everything else on the HTTP port.
 * @param {object} options
 * @param {number} options.httpPort 0 for a free one
 * @param {number} options.smtpPort 0 for a free one
 * @param {number} [options.apnsPort] 0 for a free one
 * @param {string} options.host
 */
export async function startInbox({ httpPort, smtpPort, apnsPort = 0, host }) {
  const inbox = new MessageStore();
  const smtp = smtpServer(inbox);
  const web = webServer(inbox, host);
  const apns = apnsServer(inbox);
  /** @type {Set<import('node:http2').ServerHttp2Session>} */
  const sessions = new Set();
  apns.on('session', (session) => {
    sessions.add(session);
    session.on('close', () => sessions.delete(session));
  });
  const [http, mail, push] = await Promise.all([
    listen(web, httpPort, host),
    listen(smtp, smtpPort, host),
    listen(apns, apnsPort, host),
  ]);
  smtp.on('error', () => {}); // a client that disconnects is not an error
  return {
    inbox,
    httpUrl: `http://${host}:${http}`,
    smtpUrl: `smtp://${host}:${mail}`,
    apnsUrl: `http://${host}:${push}`,
    stop: async () => {
      web.closeAllConnections();
      for (const session of sessions) session.destroy();
      await Promise.all([
        new Promise((resolve) => web.close(resolve)),
        new Promise((resolve) => apns.close(resolve)),
        new Promise((resolve) => smtp.close(() => resolve(undefined))),
      ]);
    },
  };
}

/**
 * @param {import('node:http').Server | import('node:http2').Http2Server | import('smtp-server').SMTPServer} server
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

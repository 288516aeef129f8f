import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const inbox = fileURLToPath(new URL('../../mail/inbox.mjs', import.meta.url));

/**
 * The local inbox: receives the messages of all channels and shows them on a page. Stores nothing on disk.
 * @param {object} options
 * @param {number} options.port of the page and the APIs of providers
 * @param {number} options.smtpPort
 * @param {number} options.apnsPort
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function mailPlan({ port, smtpPort, apnsPort, logPath, childrenDir }) {
  const url = `http://127.0.0.1:${port}`;
  const ports = ['--http-port', port, '--smtp-port', smtpPort, '--apns-port', apnsPort].map(String);
  return {
    name: 'mail',
    url,
    command: process.execPath,
    args: [inbox, ...ports, '--host', '127.0.0.1'],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/version`),
    logPath,
    childrenDir,
  };
}

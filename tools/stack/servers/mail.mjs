import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.mjs';

const inbox = fileURLToPath(new URL('../../mail/inbox.mjs', import.meta.url));

/**
 * The local inbox: receives all mails and text messages of the services and shows them on a page. Stores nothing on disk.
 * @param {object} options
 * @param {number} options.port of the page and the SMS API
 * @param {number} options.smtpPort
 * @param {string} options.logPath
 * @param {string} options.childrenDir
 * @returns {import('./server.mjs').ServerPlan}
 */
export function mailPlan({ port, smtpPort, logPath, childrenDir }) {
  const url = `http://127.0.0.1:${port}`;
  const ports = ['--http-port', String(port), '--smtp-port', String(smtpPort)];
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

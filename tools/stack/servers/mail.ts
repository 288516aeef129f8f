import { fileURLToPath } from 'node:url';
import { probeHttp } from './probes.ts';
import type { ServerPlan } from './server.ts';

const inbox = fileURLToPath(new URL('../../mail/inbox.ts', import.meta.url));

/** The local inbox: receives the messages of all channels and shows them on a page. Stores nothing on disk. */
export function mailPlan({
  port,
  smtpPort,
  apnsPort,
  logPath,
  childrenDir,
}: {
  port: number;
  smtpPort: number;
  apnsPort: number;
  logPath: string;
  childrenDir: string;
}): ServerPlan {
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

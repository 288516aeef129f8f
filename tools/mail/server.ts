import { once, type EventEmitter } from 'node:events';
import type { Http2Server, ServerHttp2Session } from 'node:http2';
import type { Server } from 'node:http';
import type { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';
import { apnsServer } from './apns.ts';
import { MessageStore } from './message-store.ts';
import { smtpServer } from './smtp.ts';
import { webServer } from './web.ts';

/** Starts the inbox in this process: SMTP and APNs on ports of their own, everything else on the HTTP port. */
export async function startInbox({
  httpPort,
  smtpPort,
  apnsPort = 0,
  host,
}: {
  httpPort: number;
  smtpPort: number;
  apnsPort?: number;
  host: string;
}) {
  const inbox = new MessageStore();
  const smtp = smtpServer(inbox);
  const web = webServer(inbox, host);
  const apns = apnsServer(inbox, host);
  const sessions: Set<ServerHttp2Session> = new Set();
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

/** @returns the actual port */
async function listen(
  server: Server | Http2Server | SMTPServer,
  port: number,
  host: string,
): Promise<number> {
  server.listen(port, host);
  const listener = 'server' in server ? server.server : server;
  await Promise.race([once(listener, 'listening'), failureOf(server)]);
  return (listener.address() as AddressInfo).port;
}

function failureOf(server: EventEmitter): Promise<never> {
  return new Promise((_, reject) => server.once('error', reject));
}

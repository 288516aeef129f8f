import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export interface Received {
  readonly from: string;
  readonly to: readonly string[];
  readonly messageId: string;
  readonly raw: string;
  readonly isEncrypted: boolean;
}

/** Behaviour set by a test. A thrown error with a `responseCode` becomes the server's reply. */
export interface Behaviour {
  /** After the whole mail was read and kept, before it is confirmed. */
  beforeConfirming?(received: Received): Promise<void>;
  onRcptTo?(address: string): void;
}

export interface MailServer {
  readonly port: number;
  readonly received: readonly Received[];
  stop(): Promise<void>;
}

/** A real SMTP server that can reject, stall and require TLS. */
export async function startMailServer(
  behaviour: Behaviour = {},
  options: SMTPServerOptions = { disabledCommands: ['AUTH', 'STARTTLS'] },
  port = 0,
): Promise<MailServer> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 100,
    onRcptTo: ({ address }, _, done) => {
      answering(async () => behaviour.onRcptTo?.(address), done);
    },
    onData: (stream, { envelope, secure }, done) => {
      answering(async () => {
        const raw = await text(stream);
        const [, messageId = ''] = /^Message-ID: (\S+)/im.exec(raw) ?? [];
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        const to = envelope.rcptTo.map(({ address }) => address);
        const one = { from, to, messageId, raw, isEncrypted: secure };
        received.push(one);
        await behaviour.beforeConfirming?.(one);
      }, done);
    },
    ...options,
  });
  server.on('error', () => {}); // clients of these tests break off
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}

function answering(work: () => Promise<void>, done: (error?: Error) => void): void {
  work().then(
    () => done(),
    (error: unknown) => done(error as Error),
  );
}

/** An answer of an SMTP server. */
export function smtpAnswer(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode });
}

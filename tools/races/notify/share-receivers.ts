import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** Numbers whose calls the provider accepts and never answers begin so. */
export const SILENT_NUMBERS = '+1415555';

/** A message as it arrived: its channel, to whom, and when, in epoch milliseconds. */
export interface Arrival {
  readonly channel: string;
  readonly isSilent: boolean;
  readonly atMs: number;
}

/**
 * The receivers of two tenants: a mail server, and an HTTP server whose paths below `/silent` accept a message and never
 * answer. It is the provider of calls, too, which never answers those to `SILENT_NUMBERS`.
 */
export class ShareReceivers {
  readonly arrivals: Arrival[] = [];
  readonly #mails = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      text(stream).then(() => {
        const isSilent = envelope.rcptTo.some(({ address }) => address.startsWith('silent'));
        this.#record('email', isSilent);
        done();
      }, done);
    },
  });
  readonly #http = createServer((request, response) => {
    buffer(request).then(
      (body) => this.#receive(request.url ?? '', body.toString(), response),
      () => response.destroy(), // the sender was stopped
    );
  });

  static async start(): Promise<ShareReceivers> {
    const receivers = new ShareReceivers();
    receivers.#mails.on('error', () => {});
    receivers.#mails.listen(0, '127.0.0.1');
    receivers.#http.listen(0, '127.0.0.1');
    await Promise.all([once(receivers.#mails.server, 'listening'), once(receivers.#http, 'listening')]);
    return receivers;
  }

  get smtpUrl(): string {
    return `smtp://127.0.0.1:${(this.#mails.server.address() as AddressInfo).port}`;
  }

  get smsUrl(): string {
    return this.#origin.replace('//', `//AC${'0'.repeat(32)}:local@`);
  }

  /** The URL of a channel, of the tenant whose receivers answer or of the other one. */
  urlOf(channel: string, isSilent: boolean): string {
    return `${this.#origin}/${isSilent ? 'silent' : 'answering'}/${channel}`;
  }

  /** The arrivals of a channel at one of the tenants. */
  of(channel: string, isSilent: boolean): Arrival[] {
    return this.arrivals.filter((arrival) => arrival.channel === channel && arrival.isSilent === isSilent);
  }

  async stop(): Promise<void> {
    this.#http.closeAllConnections();
    await Promise.all([
      new Promise((resolve) => this.#http.close(resolve)),
      new Promise((resolve) => void this.#mails.close(() => resolve(undefined))),
    ]);
  }

  get #origin(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  #receive(path: string, body: string, response: ServerResponse): void {
    const isCall = path.endsWith('/Calls.json');
    const [, kind = '', named = ''] = path.split('/');
    const isSilent = isCall ? isSilentNumber(body) : kind === 'silent';
    this.#record(isCall ? 'voice' : named, isSilent);
    if (isSilent) return;
    response.writeHead(isCall ? 201 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ sid: `CA${'0'.repeat(32)}` }));
  }

  #record(channel: string, isSilent: boolean): void {
    this.arrivals.push({ channel, isSilent, atMs: Date.now() });
  }
}

function isSilentNumber(form: string): boolean {
  return new URLSearchParams(form).get('To')?.startsWith(SILENT_NUMBERS) ?? false;
}

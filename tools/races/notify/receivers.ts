import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** One message as its receiver got it. */
export interface ReceivedMessage {
  readonly channel: 'email' | 'webhook';
  readonly recipient: string;
  /** By which a receiver knows a repetition: the local part of the Message-ID, or `webhook-id`. */
  readonly deliveryId: string;
}

/** A mail server and a webhook endpoint that confirm and record every message. */
export class Receivers {
  readonly received: ReceivedMessage[] = [];
  readonly #mails = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onData: (stream, { envelope }, done) => {
      text(stream).then((mail) => {
        const [, deliveryId = ''] = /^Message-ID: <([^@]+)@/im.exec(mail) ?? [];
        for (const { address } of envelope.rcptTo)
          this.received.push({ channel: 'email', recipient: address, deliveryId });
        done();
      }, done);
    },
  });
  readonly #webhooks = createServer((request, response) => {
    json(request).then(
      (body) => {
        const { data } = body as { data: { recipient: string } };
        const deliveryId = String(request.headers['webhook-id']);
        this.received.push({ channel: 'webhook', recipient: data.recipient, deliveryId });
        response.writeHead(204).end();
      },
      () => response.destroy(), // the sender was killed
    );
  });

  static async start(): Promise<Receivers> {
    const receivers = new Receivers();
    receivers.#mails.on('error', () => {}); // killed senders break off
    receivers.#mails.listen(0, '127.0.0.1');
    receivers.#webhooks.listen(0, '127.0.0.1');
    await Promise.all([once(receivers.#mails.server, 'listening'), once(receivers.#webhooks, 'listening')]);
    return receivers;
  }

  get smtpUrl(): string {
    return `smtp://127.0.0.1:${(this.#mails.server.address() as AddressInfo).port}`;
  }

  get webhookUrl(): string {
    return `http://127.0.0.1:${(this.#webhooks.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#webhooks.closeAllConnections();
    await Promise.all([
      new Promise((resolve) => this.#webhooks.close(resolve)),
      new Promise((resolve) => void this.#mails.close(() => resolve(undefined))),
    ]);
  }
}

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { MessageStore } from '../../../../tools/mail/message-store.ts';
import { answerTwilioApi } from '../../../../tools/mail/twilio-api.ts';

export interface SmsServer {
  readonly port: number;
  /** For SMS_URL and SMS_FROM. */
  readonly settings: { readonly SMS_URL: string; readonly SMS_FROM: string };
  /** The forms of all requests, accepted or not. */
  readonly asked: readonly Record<string, string>[];
  /** Accepted messages, whether or not the reply arrived. */
  readonly taken: () => readonly { readonly to: string; readonly text: string }[];
  stop(): Promise<void>;
}

/** Runs after a message was accepted, instead of the reply. Resolves to true if it has handled the response. */
export type Interference = (response: ServerResponse, to: string) => Promise<boolean> | boolean;

/** The emulator of Twilio's API that local stacks use, with failures. */
export async function startSmsServer(interfere: Interference = () => false, port = 0): Promise<SmsServer> {
  const inbox = new MessageStore();
  const asked: Record<string, string>[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const form = Object.fromEntries(new URLSearchParams(body));
    asked.push(form);
    const { method = '', url: path = '', headers } = request;
    const given = answerTwilioApi(inbox, { method, path, authorization: headers.authorization ?? '', body });
    if (await interfere(response, form['To'] ?? '')) return;
    response.writeHead(given?.status ?? 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(given?.value ?? {}));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const listening = (server.address() as AddressInfo).port;
  return {
    port: listening,
    settings: smsSettings(listening),
    asked,
    taken: () => inbox.listTexts(),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** For a provider that is not there yet. */
export function smsSettings(port: number): SmsServer['settings'] {
  return { SMS_URL: `http://AC${'0'.repeat(32)}:hunter2@127.0.0.1:${port}`, SMS_FROM: '+14155550100' };
}

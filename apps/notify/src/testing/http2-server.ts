import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A request over HTTP/2 that was received completely. */
export interface ReceivedStream {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type RespondHttp2 = (stream: ServerHttp2Stream, request: ReceivedStream) => void;

/** Answers with a status and a reason of APNs. */
export const apnsReply =
  (status: number, reason?: string, headers: Record<string, string> = {}): RespondHttp2 =>
  (stream) => {
    stream.respond({ ':status': status, ...headers });
    stream.end(reason === undefined ? '' : JSON.stringify({ reason }));
  };

/** A server over HTTP/2 without TLS that answers as the test wants. */
export async function startHttp2Server(first: RespondHttp2) {
  const received: ReceivedStream[] = [];
  const sessions: ServerHttp2Session[] = [];
  const server = createServer();
  const state = { respond: first };
  server.on('session', (session) => {
    sessions.push(session);
    session.on('error', () => {}); // tests break connections
  });
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {});
    text(stream).then(
      (body) => {
        received.push({ headers, body });
        state.respond(stream, { headers, body });
      },
      () => stream.close(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** All connections, closed ones included. */
    sessions,
    respondWith: (respond: RespondHttp2) => void (state.respond = respond),
    stop: async () => {
      for (const session of sessions) session.destroy();
      await new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

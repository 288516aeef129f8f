import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A response to the handshake of a WebSocket. Node leaves the socket of such a request to its listener; this response is sent like
 * any other, and then closes the connection. It follows the responses to earlier requests of the connection, one of which may
 * hold the only copy of a Spark. Undefined when the connection has closed by then.
 */
export async function responseOnUpgrade(
  request: IncomingMessage,
  socket: Socket,
): Promise<ServerResponse | undefined> {
  socket.on('error', () => socket.destroy()); // Node has removed its own listener
  for (let earlier = responseOn(socket); earlier; earlier = responseOn(socket)) await closeOf(earlier);
  if (socket.destroyed) return undefined;
  socket.setTimeout(0);
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once('finish', () => socket.destroySoon());
  return response;
}

/** Removes the response, so that the socket can speak another protocol. */
export function releaseSocket(response: ServerResponse, socket: Socket): void {
  response.removeAllListeners('finish');
  response.detachSocket(socket);
}

function responseOn(socket: Socket): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}

function closeOf(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('close', resolve));
}

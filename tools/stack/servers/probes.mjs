import { connect } from 'node:net';

/** One try may not hang on a server that accepts and says nothing. */
const tryTimeoutMs = 1000;

/**
 * Sends one message and waits until the answer has what is expected: the real protocol, not just an open port.
 * @param {number} port on 127.0.0.1
 * @param {Buffer | string} message
 * @param {(answer: Buffer) => boolean} isReady
 * @returns {Promise<void>} rejects when the server refuses, closes or answers something else
 */
function converse(port, message, isReady) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = Buffer.alloc(0);
    const fail = () => reject(new Error(`port ${port} is not ready`));
    socket.setTimeout(tryTimeoutMs, () => socket.destroy(new Error('timeout')));
    socket.on('connect', () => socket.write(message));
    socket.on('data', (data) => {
      answer = Buffer.concat([answer, data]);
      if (isReady(answer)) resolve(socket.destroy() && undefined);
    });
    socket.on('error', fail);
    socket.on('close', fail);
  });
}

/**
 * PostgreSQL answers `R` (authentication) to a startup message once it accepts sessions, and `E` with 57P03 while it
 * is still starting or recovering.
 * @param {number} port
 */
export function probePostgres(port) {
  const parameters = Buffer.from('user\0postgres\0database\0postgres\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + parameters.length, 0);
  head.writeInt32BE(196608, 4);
  return converse(port, Buffer.concat([head, parameters]), (answer) => answer[0] === 'R'.charCodeAt(0));
}

/**
 * Redis answers -LOADING while it reads its file.
 * @param {number} port
 */
export function probeRedis(port) {
  return converse(port, 'PING\r\n', (answer) => answer.toString().startsWith('+PONG'));
}

/**
 * NATS answers PONG after its INFO line; JetStream is up before the client listener opens.
 * @param {number} port
 */
export function probeNats(port) {
  return converse(port, 'CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n', (answer) =>
    /\r\nPONG/.test(answer.toString()),
  );
}

/**
 * @param {string} url answered with 200 when ready
 * @param {RequestInit} [request]
 */
export async function probeHttp(url, request = {}) {
  const response = await fetch(url, { ...request, signal: AbortSignal.timeout(tryTimeoutMs) });
  await response.body?.cancel();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
}

import { connect } from 'node:net';

/** Ends an attempt at a server that accepts the connection and does not answer. */
const attemptTimeoutMs = 1000;

/**
 * Sends one message and waits for the expected answer, which checks the protocol and not only the port.
 * @param port on 127.0.0.1
 * @returns rejects on a refused or closed connection, a timeout or another answer
 */
function exchange(
  port: number,
  message: Buffer | string,
  isReady: (answer: Buffer) => boolean,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    let answer = Buffer.alloc(0);
    const fail = () => reject(new Error(`port ${port} is not ready`));
    socket.setTimeout(attemptTimeoutMs, () => socket.destroy(new Error('timeout')));
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
 */
export function probePostgres(port: number) {
  const parameters = Buffer.from('user\0postgres\0database\0postgres\0\0');
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + parameters.length, 0);
  head.writeInt32BE(196608, 4);
  return exchange(port, Buffer.concat([head, parameters]), (answer) => answer[0] === 'R'.charCodeAt(0));
}

/**
 * Redis answers -LOADING while it reads its file.
 * @param password without white space
 */
export function probeRedis(port: number, user: string, password: string) {
  return exchange(port, `AUTH ${user} ${password}\r\nPING\r\n`, (answer) =>
    answer.toString().startsWith('+OK\r\n+PONG'),
  );
}

/**
 * A node of a Redis Cluster serves its slots once it has heard of the others, and could be replaced once its replica has its data. It
 * closes the connection after its answer, so that an attempt that comes too early ends at once.
 * @param password without white space
 */
export function probeClusterNode(port: number, user: string, password: string) {
  const message = `AUTH ${user} ${password}\r\nCLUSTER INFO\r\nINFO replication\r\nQUIT\r\n`;
  return exchange(port, message, (answer) =>
    /cluster_state:ok[^]*(connected_slaves:[1-9]|master_link_status:up)/.test(answer.toString()),
  );
}

/** NATS refuses a client without credentials after its INFO line; JetStream is up before the client listener opens. */
export function probeNats(port: number) {
  return exchange(port, 'CONNECT {"verbose":false,"pedantic":false}\r\nPING\r\n', (answer) =>
    /\r\n-ERR 'Authorization Violation'/.test(answer.toString()),
  );
}

/** @param url answered with 200 when ready */
export async function probeHttp(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(attemptTimeoutMs) });
  await response.body?.cancel();
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`);
}

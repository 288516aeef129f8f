/**
 * An emulator of the transit engine of Vault and OpenBao, for tests only, from the public documentation of their API: data keys,
 * encrypt, decrypt, rewrap and random, derived keys and their versions, logins by AppRole and Kubernetes, errors. It is not
 * secure: the keys are on disk. Never run it in production.
 *
 *   node emulator.ts --state <file> --callers <file> [--port 0] [--host 127.0.0.1] [--lease-seconds 3600]
 *
 * Prints `transit listening on <host>:<port>` when it is ready. It exits immediately on SIGTERM and SIGINT.
 * `POST /_fault {"mode":"none|down|slow|throttle|zeros","ms":5000,"times":2}` injects faults as the emulator of KMS does;
 * `POST /_operate {"rotate":"<key>"}`, `{"retire":"<key>","version":2}` and `{"revoke":true}` are what an operator does.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { Faults } from '../kms/faults.ts';
import { KmsError } from '../kms/kms-error.ts';
import { FOREIGN_HOST, isOwnHost } from '../stack/own-host.ts';
import { Callers } from './callers.ts';
import { operate, type Body } from './operations.ts';
import { TransitKeys } from './transit-keys.ts';
import { VaultError } from './vault-error.ts';

const BODY_BYTES_MAX = 64 * 1_024;

const { values: options } = parseArgs({
  options: {
    state: { type: 'string' },
    callers: { type: 'string' },
    port: { type: 'string', default: '0' },
    host: { type: 'string', default: '127.0.0.1' },
    'lease-seconds': { type: 'string', default: '3600' },
  },
});
if (!options.state || !options.callers) throw new Error('--state <file> and --callers <file> are required');
const keys = new TransitKeys(options.state);
const callers = new Callers(options.callers, Number(options['lease-seconds']));
const faults = new Faults();
const server = createServer(
  { keepAliveTimeout: 65_000 },
  (request, response) => void answer(request, response),
);

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
server.listen(Number(options.port), options.host, () => {
  const { port } = server.address() as AddressInfo; // a TCP server
  process.stdout.write(`transit listening on ${options.host}:${port}\n`);
});

async function answer(request: IncomingMessage, response: ServerResponse) {
  try {
    const { method, url = '', headers } = request;
    const body = await readBody(request);
    if (!isOwnHost(headers.host, options.host)) return send(response, FOREIGN_HOST.status, {});
    if (url === '/v1/sys/health') return send(response, 200, { initialized: true, sealed: false });
    if (method !== 'POST' && method !== 'PUT') throw new VaultError(405, '');
    if (headers.origin === undefined && url === '/_fault') return send(response, 200, faults.set(body));
    if (headers.origin === undefined && url === '/_operate') return send(response, 200, administer(body));
    if (!url.startsWith('/v1/')) throw new VaultError(404, '');
    if ((await faults.apply()) === 'drop') return request.socket.destroy();
    const context = { keys, callers, faults, token: headers['x-vault-token'] };
    const outcome = operate(url.slice('/v1/'.length), body, context);
    send(response, 200, { request_id: randomUUID(), lease_id: '', renewable: false, ...outcome });
  } catch (error) {
    sendError(response, error);
  }
}

function administer({ rotate, retire, version, revoke }: Body) {
  if (typeof rotate === 'string') keys.rotate(rotate);
  if (typeof retire === 'string') keys.retire(retire, Number(version));
  if (revoke === true) callers.revoke();
  return { logins: callers.logins };
}

async function readBody(request: AsyncIterable<Buffer>): Promise<Body> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new VaultError(413, 'request body too large');
    chunks.push(chunk);
  }
  if (bytes === 0) return {};
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new VaultError(400, 'failed to parse JSON input');
  }
}

function sendError(response: ServerResponse, error: unknown) {
  if (error instanceof VaultError) return send(response, error.status, error.body());
  // Of `faults`.
  if (error instanceof KmsError)
    return send(response, 429, { errors: ['request path rate limit quota exceeded'] });
  process.stderr.write(`transit: ${error instanceof Error ? error.stack : String(error)}\n`);
  send(response, 500, { errors: ['internal error'] });
}

function send(response: ServerResponse, status: number, body: object) {
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify(body));
}

/**
 * An emulator of the AWS KMS JSON 1.1 API, for local stacks and tests only.
 *
 * It encrypts with AES-256-GCM under master keys in a file, and follows the rules of KMS: requests are signed by a caller
 * with a grant on the key, the encryption context is authenticated, sizes are limited, errors have the format of AWS. It
 * is not secure: the master keys are on disk. Never run it in production.
 *
 *   node emulator.ts --state <file> --grants <file> [--port 0] [--host 127.0.0.1]
 *
 * Prints `kms listening on <host>:<port>` when it is ready. It exits immediately on SIGTERM and SIGINT.
 * `POST /_fault {"mode":"none|down|slow|throttle|zeros","ms":5000,"times":2}` injects faults; see faults.ts. It needs no
 * signature, and is refused to pages in a browser. `GET /_fault` says which applies, and the operations since its change.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { FOREIGN_HOST, isOwnHost } from '../stack/own-host.ts';
import { Faults } from './faults.ts';
import { Grants } from './grants.ts';
import { KmsError } from './kms-error.ts';
import { MasterKeys } from './master-keys.ts';
import { operations, type Operation } from './operations.ts';

/** Longer than clients keep idle connections, so that they do not use one at the moment of its end. */
const KEEP_ALIVE_MS = 65_000;

// A KMS request is at most a 6,144-byte ciphertext in base64 and a context of 8 KB; this leaves room for both.
const BODY_BYTES_MAX = 64 * 1024;
const TARGET_PREFIX = 'TrentService.';
const OPTIONS = {
  state: { type: 'string' },
  grants: { type: 'string' },
  port: { type: 'string', default: '0' },
  host: { type: 'string', default: '127.0.0.1' },
} as const;

const options = readOptions();
const masterKeys = attempt(() => MasterKeys.open(options.state));
const grants = attempt(() => Grants.open(options.grants));
const faults = new Faults();
const server = createServer(
  { keepAliveTimeout: KEEP_ALIVE_MS },
  (request, response) => void answer(request, response),
);

for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => process.exit(0));
server.on('error', (error) => fail(`cannot listen on ${options.host}:${options.port}: ${error.message}`));
server.listen(Number(options.port), options.host, () => {
  const { port } = server.address() as AddressInfo; // a TCP server
  process.stdout.write(`kms listening on ${options.host}:${port}\n`);
});

function readOptions() {
  const { state, grants, port, host } = attempt(() => parseArgs({ options: OPTIONS }).values);
  if (!state) fail('--state <file> is required: the file that keeps the master keys');
  if (!grants) fail('--grants <file> is required: the callers and what they may do');
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) fail('--port must be a number from 0 to 65535');
  return { state, grants, port, host };
}

async function answer(request: IncomingMessage, response: ServerResponse) {
  try {
    const body = await readBody(request);
    if (!isOwnHost(request.headers.host, options.host))
      return send(response, FOREIGN_HOST.status, { message: FOREIGN_HOST.text });
    if (request.method === 'GET' && request.url === '/_health') return send(response, 200, { status: 'ok' });
    if (request.method === 'GET' && request.url === '/_fault') return send(response, 200, faults.current);
    if (isFault(request)) return send(response, 200, faults.set(parseObject(body)));
    const operation = operationOf(request);
    const grant = grants.of(request, body);
    if ((await faults.apply()) === 'drop') return request.socket.destroy();
    send(response, 200, operation(parseObject(body), { masterKeys, faults, grant }));
  } catch (error) {
    sendError(response, error);
  }
}

/** A browser sends Origin with every POST of a page; scripts do not. */
function isFault({ method, url, headers }: IncomingMessage) {
  return method === 'POST' && url === '/_fault' && headers.origin === undefined;
}

function operationOf(request: IncomingMessage): Operation {
  const target = String(request.headers['x-amz-target'] ?? '');
  const name = target.startsWith(TARGET_PREFIX) ? target.slice(TARGET_PREFIX.length) : '';
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (request.method !== 'POST' || request.url !== '/' || !operation)
    throw new KmsError('UnknownOperationException');
  return operation;
}

async function readBody(request: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) throw new KmsError('SerializationException', 'the request is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function parseObject(body: Buffer): object {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like JSON that is not an object.
  }
  throw new KmsError('SerializationException', 'the body is not a JSON object');
}

function sendError(response: ServerResponse, error: unknown) {
  if (error instanceof KmsError) return send(response, error.status, error.body());
  process.stderr.write(`kms: ${error instanceof Error ? error.stack : String(error)}\n`);
  send(response, 500, new KmsError('KMSInternalException', 'internal failure').body());
}

function send(response: ServerResponse, status: number, body: object) {
  if (response.destroyed) return;
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.1',
    'cache-control': 'no-store',
    'x-amzn-requestid': randomUUID(),
  });
  response.end(JSON.stringify(body));
}

/** Runs a step of the start and exits with one line on an error. */
function attempt<T>(step: () => T): T {
  try {
    return step();
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function fail(message: string): never {
  process.stderr.write(`kms: ${message}\n`);
  process.exit(1);
}

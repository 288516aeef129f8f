// The baseline: the same path of a request without a framework, contracts, events or metrics, in two processes as well.
// HTTP → one Redis script (credential, limit) → NATS → bare-sparks.ts → prepared SQL.
import { connect } from '@nats-io/transport-node';
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@redis/client';
import { natsOptions } from '../nats-options.ts';

const { NATS_URL = '', REDIS_URL = '' } = process.env;
const nats = await connect(natsOptions(NATS_URL));
const redis = await createClient({ url: REDIS_URL }).connect();
const script = await redis.scriptLoad(`
  local credential = redis.call('GET', KEYS[1])
  if not credential then return nil end
  local second = redis.call('TIME')[1]
  local key = 'bare:' .. credential .. ':' .. math.floor(second / 60)
  local used = redis.call('INCR', key)
  redis.call('EXPIRE', key, 65)
  return {credential, used, second}`);
const hash = (key: string) => createHash('sha256').update(key).digest('hex');
await redis.set(`bare:${hash('bench')}`, 'acc_bench');

const read = async (request: IncomingMessage) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};
const server = createServer((request, response) => void answerTo(request, response));

async function answerTo(request: IncomingMessage, response: ServerResponse) {
  const admitted = await redis.evalSha(script, {
    keys: [`bare:${hash(String(request.headers['x-api-key']))}`],
  });
  if (!admitted) return void response.writeHead(401).end();
  const create = request.method === 'POST';
  const body = create ? await read(request) : Buffer.from((request.url ?? '').slice('/v1/sparks/'.length));
  if (create) JSON.parse(body.toString());
  const reply = await nats.request(create ? 'bare.create' : 'bare.burn', body, { timeout: 5_000 });
  const answer = Buffer.concat([
    Buffer.from('{"data":'),
    reply.data,
    Buffer.from(`,"meta":{"timestamp":${Date.now()}}}`),
  ]);
  response
    .writeHead(create ? 201 : 200, { 'content-type': 'application/json', 'content-length': answer.length })
    .end(answer);
}

server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`http://127.0.0.1:${port}\n`);
});

// Random data in every format, compared with the KMS that generates it and the limits of this machine.
import { GenerateRandomCommand, KMSClient } from '@aws-sdk/client-kms';
import { parseArgs } from 'node:util';
import { signedHeaders } from '../kms/signature.mjs';
import { withTemporaryStack } from '../stack/temporary-stack.mjs';
import { cpuMicroseconds, perRequest } from './cpu.mjs';
import { measureLimits } from './limits.mjs';
import { httpClient, load } from './load.mjs';
import { figures, pidsOf, processorTime } from './rows.mjs';
import { say, table } from './report.mjs';

/** Format, num_bytes, and the minimum of bytes requested from the KMS. */
const DRAWS = [
  ['hex', 32, 32],
  ['base64', 32, 32],
  ['base64url', 32, 32],
  ['alphanumeric', 32, 64],
  ['alphanumeric-mixed', 32, 64],
  ['password', 32, 64],
  ['numeric', 32, 64],
  ['uuid', 16, 16],
  ['bytes', 32, 32],
  ['hex', 1_024, 1_024],
  ['password', 512, 1_024],
];
const CONCURRENCY = 32;

/** `npm run bench -- entropy`. `args`: the arguments after the name. */
export async function benchEntropy(args) {
  const { values } = parseArgs({ args, options: { count: { type: 'string', default: '2000' } } });
  await withTemporaryStack((stack) => measure(stack, Number(values.count)));
}

async function measure(stack, count) {
  const api = httpClient(stack.api_url, CONCURRENCY);
  const kms = httpClient(stack.kms_url, CONCURRENCY);
  const bare = bareRandom(kms, stack);
  try {
    say('warming up');
    await load({ count: 500, concurrency: 16, task: () => draw(api, stack, 'hex', 32) });
    await load({ count: 500, concurrency: 16, task: () => bare(32) });
    const one = await load({
      count: Math.ceil(count / 10),
      concurrency: 1,
      task: () => draw(api, stack, 'hex', 32),
    });
    const oneBare = await load({
      count: Math.ceil(count / 10),
      concurrency: 1,
      task: () => bare(32),
    });
    const { rows, used } = await eachFormat(stack, api, bare, count);
    say('measuring the limits of this machine');
    const sdk = await sdkRandom(stack, count);
    const limits = await measureLimits(stack, { count, concurrency: CONCURRENCY });
    report({ one, oneBare, rows, used, limits: { ...limits, sdk } });
  } finally {
    api.close();
    kms.close();
  }
}

/** Alternates between the bare KMS and the product, so that both run under the same conditions. */
async function eachFormat(stack, api, bare, count) {
  const rows = [];
  const pids = pidsOf({ ...stack.services, ...stack.infrastructure, kms: stack.kms });
  let used = {};
  for (const [format, numBytes, drawn] of DRAWS) {
    say(`${format} of ${numBytes}: ${count} calls`);
    const bareRun = await load({ count, concurrency: CONCURRENCY, task: () => bare(drawn) });
    const before = cpuMicroseconds(pids);
    const ours = await load({
      count,
      concurrency: CONCURRENCY,
      task: () => draw(api, stack, format, numBytes),
    });
    used = perRequest(before, cpuMicroseconds(pids), count);
    rows.push({ format, numBytes, drawn, bare: bareRun, ours });
  }
  return { rows, used };
}

async function draw(api, stack, format, num_bytes) {
  const body = JSON.stringify({ format, num_bytes });
  const headers = { 'x-api-key': stack.account.api_key, 'content-type': 'application/json' };
  const answer = await api.send('POST', '/v1/entropy/generate', headers, body);
  if (answer.status !== 200) throw new Error(`${format} was answered ${answer.status}: ${answer.text}`);
}

/** Calls GenerateRandom without the SDK. A call is signed once: the emulator accepts it again. */
function bareRandom(kms, stack) {
  const signed = new Map();
  return async (bytes) => {
    const body = JSON.stringify({ NumberOfBytes: bytes });
    const headers =
      signed.get(bytes) ??
      signedHeaders(stack.kms_url, 'TrentService.GenerateRandom', body, credentialsOf(stack));
    signed.set(bytes, headers);
    const answer = await kms.send('POST', '/', headers, body);
    if (answer.status !== 200) throw new Error(`KMS answers ${answer.status}: ${answer.text}`);
  };
}

function credentialsOf({ kms }) {
  return { accessKeyId: kms.access_key_id, secretAccessKey: kms.secret_access_key };
}

/** The same through the SDK in this process, which shows the cost of its signature and middleware. */
async function sdkRandom(stack, count) {
  const credentials = credentialsOf(stack);
  const client = new KMSClient({ endpoint: stack.kms_url, region: 'us-east-1', credentials });
  const task = () => client.send(new GenerateRandomCommand({ NumberOfBytes: 32 }));
  try {
    await load({ count: 300, concurrency: CONCURRENCY, task });
    const before = process.cpuUsage();
    const run = await load({ count, concurrency: CONCURRENCY, task });
    const { user, system } = process.cpuUsage(before);
    return { ...run, cpu: (user + system) / count };
  } finally {
    client.destroy();
  }
}

function report({ one, oneBare, rows, used, limits }) {
  table(
    'Random data, 32 callers',
    ['format', 'num_bytes', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'bare KMS/s', 'vaultsvc / bare KMS'],
    rows.map(({ format, numBytes, bare, ours }) => [
      format,
      numBytes,
      ...figures(ours),
      bare.perSecond.toFixed(0),
      (ours.perSecond / bare.perSecond).toFixed(2),
    ]),
  );
  table(
    'One caller',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors'],
    [
      ['hex of 32', ...figures(one)],
      ['bare GenerateRandom of 32', ...figures(oneBare)],
    ],
  );
  const hex = rows[0].ours;
  table(
    'Limits of this machine, 32 callers',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors', 'hex of 32 / this'],
    [
      ['bare GenerateRandom of the emulator', rows[0].bare],
      ['the same through the AWS SDK', limits.sdk],
      ['bare Node HTTP answer', limits.http],
      ['bare NATS round trip', limits.nats],
      ['bare PostgreSQL insert', limits.pgInsert],
    ].map(([name, limit]) => [name, ...figures(limit), (hex.perSecond / limit.perSecond).toFixed(2)]),
  );
  processorTime('Processor time per call, last format', used);
  processorTime('The AWS SDK alone, for one GenerateRandom', { 'this process': limits.sdk.cpu });
}

// Sparks through the gateway, compared with the bare pipeline and the limits of this machine.
import { parseArgs } from 'node:util';
import { startBarePipeline } from './bare-pipeline.mjs';
import { cpuMicroseconds, perRequest } from './cpu.mjs';
import { readHops, sharesOf } from './hops.mjs';
import { measureLimits } from './limits.mjs';
import { withTemporaryStack } from '../stack/temporary-stack.mjs';
import { median, say, table } from './report.mjs';
import { figures, pidsOf, processorTime } from './rows.mjs';
import { createAndBurn } from './sparks.mjs';

const KIB = 1_024;

/** `npm run bench -- platform`, the default. `args`: the arguments after the name. */
export async function benchPlatform(args) {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '6000' }, rounds: { type: 'string', default: '3' } },
  });
  const options = { count: Number(values.count), rounds: Number(values.rounds) };
  await withTemporaryStack((stack) => measure(stack, options));
}

async function measure(stack, { count, rounds }) {
  const bare = await startBarePipeline(stack);
  const ours = (options) => createAndBurn(stack.api_url, stack.account.api_key, { bytes: KIB, ...options });
  const peer = (options) => createAndBurn(bare.origin, 'bench', { bytes: KIB, ...options });
  try {
    say('warming up');
    await ours({ count: 1_000, concurrency: 16 });
    await peer({ count: 1_000, concurrency: 16 });
    const one = await concurrencyOne(ours, peer, Math.ceil(count / 10));
    const peerPids = { ...bare.pids, ...infrastructure(stack) };
    const many = await concurrencyMany({ stack, peerPids, ours, peer, count, rounds });
    const big = await bigSparks(stack, bare);
    say('measuring the limits of this machine');
    const limits = await measureLimits(stack, { count, concurrency: 32 });
    report({ one, many, big, limits });
  } finally {
    bare.stop();
  }
}

async function concurrencyOne(ours, peer, n) {
  say(`concurrency 1: ${n} Sparks created and burned`);
  return { peer: await peer({ count: n, concurrency: 1 }), ours: await ours({ count: n, concurrency: 1 }) };
}

async function concurrencyMany({ stack, peerPids, ours, peer, count, rounds }) {
  const runs = [];
  const pids = processes(stack);
  for (let round = 1; round <= rounds; round++) {
    say(`concurrency 32, round ${round} of ${rounds}: ${count} Sparks created and burned`);
    const peerCpu = cpuMicroseconds(peerPids);
    const peerRun = await peer({ count, concurrency: 32 });
    const peerUsed = perRequest(peerCpu, cpuMicroseconds(peerPids), 2 * count);
    const [cpu, hops] = [cpuMicroseconds(pids), await readHops(stack)];
    const ourRun = await ours({ count, concurrency: 32 });
    const clientMean = (ourRun.create.mean + ourRun.burn.mean) / 2;
    runs.push({
      peer: peerRun,
      ours: ourRun,
      peerCpu: peerUsed,
      cpu: perRequest(cpu, cpuMicroseconds(pids), 2 * count),
      hops: sharesOf(hops, await readHops(stack), 2 * count, clientMean),
    });
  }
  return runs;
}

async function bigSparks(stack, bare) {
  say('256 KB Sparks, concurrency 8');
  const options = { count: 400, concurrency: 8, bytes: 250_000 };
  return {
    peer: await createAndBurn(bare.origin, 'bench', options),
    ours: await createAndBurn(stack.api_url, stack.account.api_key, options),
  };
}

function processes(stack) {
  return pidsOf({ ...stack.services, ...stack.infrastructure, kms: stack.kms });
}

function infrastructure(stack) {
  return pidsOf(stack.infrastructure);
}

function report({ one, many, big, limits }) {
  const row = (name, run) => [name, ...figures(run)];
  const pick = (side, step) => middle(many.map((run) => run[side][step]));
  table(
    '1 KB Sparks',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors'],
    [
      row('create, 1 caller', one.ours.create),
      row('burn, 1 caller', one.ours.burn),
      row('create, 32 callers', pick('ours', 'create')),
      row('burn, 32 callers', pick('ours', 'burn')),
      row('bare pipeline create, 1 caller', one.peer.create),
      row('bare pipeline burn, 1 caller', one.peer.burn),
      row('bare pipeline create, 32 callers', pick('peer', 'create')),
      row('bare pipeline burn, 32 callers', pick('peer', 'burn')),
      row('256 KB create, 8 callers', big.ours.create),
      row('256 KB burn, 8 callers', big.ours.burn),
      row('bare pipeline 256 KB create, 8 callers', big.peer.create),
      row('bare pipeline 256 KB burn, 8 callers', big.peer.burn),
    ],
  );
  table(
    'Limits of this machine, 32 callers',
    ['', 'requests/s', 'p50 ms', 'p99 ms', 'errors'],
    [
      row('bare Node HTTP answer', limits.http),
      row('bare NATS round trip', limits.nats),
      row('bare PostgreSQL insert', limits.pgInsert),
      row('bare PostgreSQL burn', limits.pgBurn),
    ],
  );
  const ratio = (a, b) => (a.perSecond / b.perSecond).toFixed(2);
  const create = pick('ours', 'create');
  const burn = pick('ours', 'burn');
  table(
    'vaultsvc divided by',
    ['', 'create', 'burn'],
    [
      ['bare pipeline (median of rounds)', ratioOf(many, 'create'), ratioOf(many, 'burn')],
      ['bare pipeline, 256 KB', ratio(big.ours.create, big.peer.create), ratio(big.ours.burn, big.peer.burn)],
      ['bare HTTP', ratio(create, limits.http), ratio(burn, limits.http)],
      ['bare NATS', ratio(create, limits.nats), ratio(burn, limits.nats)],
      ['bare PostgreSQL', ratio(create, limits.pgInsert), ratio(burn, limits.pgBurn)],
      ['p99 / p50 at 32 callers', (create.p99 / create.p50).toFixed(2), (burn.p99 / burn.p50).toFixed(2)],
    ],
  );
  const last = many.at(-1);
  table(
    'Time by stage, 32 callers, last round',
    ['', 'ms', 'share'],
    last.hops.map(({ leg, ms, share }) => [leg, ms.toFixed(2), `${(share * 100).toFixed(0)} %`]),
  );
  processorTime('Processor time per request, last round', last.cpu);
  processorTime('Processor time per request of the bare pipeline, last round', last.peerCpu);
}

function ratioOf(runs, step) {
  return median(runs.map(({ ours, peer }) => ours[step].perSecond / peer[step].perSecond)).toFixed(2);
}

/** The run whose rate is the median of the rounds. */
function middle(measured) {
  const rate = median(measured.map(({ perSecond }) => perSecond));
  return measured.find(({ perSecond }) => perSecond === rate) ?? measured[0];
}

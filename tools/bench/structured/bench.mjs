// Structured ingots of 10,000 keys, and a retrieval of 100 keys compared with retrievals of one.
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { withTemporaryStack } from '../../stack/temporary-stack.mjs';
import { cpuMicroseconds, perRequest } from '../cpu.mjs';
import { measureLimits } from '../limits.mjs';
import { load } from '../load.mjs';
import { say } from '../report.mjs';
import { pidsOf } from '../rows.mjs';
import { measureParts } from './limits.mjs';
import { report } from './report.mjs';
import { openVault } from './unsealed-vault.mjs';

const KEYS = 10_000;
const CONCURRENCY = 32;

/** `npm run bench -- structured`. `args`: the arguments after the name. */
export async function benchStructured(args) {
  const { values } = parseArgs({
    args,
    options: { rounds: { type: 'string', default: '5' }, bytes: { type: 'string', default: '64' } },
  });
  const options = { rounds: Number(values.rounds), bytes: Number(values.bytes) };
  await withTemporaryStack((stack) => measure(stack, options));
}

async function measure(stack, { rounds, bytes }) {
  const names = Array.from({ length: KEYS }, (_, number) => `KEY_${String(number).padStart(5, '0')}`);
  const data = Object.fromEntries(names.map((name) => [name, valueOf(bytes)]));
  const work = { names, bytes, write: JSON.stringify({ name: 'bench', data }) };
  const vault = await openVault(stack, CONCURRENCY);
  try {
    say('warming up');
    const id = await vault.write(work.write);
    await retrievals(vault, id, names, { keys: 1, count: 300, concurrency: 8 });
    await retrievals(vault, id, names, { keys: 100, count: 30, concurrency: 8 });
    const whole = await measureWholeIngots(vault, id, data, work, rounds);
    const reads = await measureRetrievals(stack, vault, id, names, rounds);
    say('measuring the limits of this machine');
    const limits = await measureLimits(stack, { count: 300, concurrency: 1 });
    const parts = await measureParts(stack, work);
    report({ whole, reads, limits, parts, bodyBytes: Buffer.byteLength(work.write), keys: KEYS, bytes });
  } finally {
    vault.close();
  }
}

/** Writes, lists and changes 10,000 keys, one call after the other. */
async function measureWholeIngots(vault, id, data, { write }, rounds) {
  say(`${KEYS} keys, concurrency 1`);
  const sequentially = (count, task) => load({ count, concurrency: 1, task });
  const change = JSON.stringify({ set: data });
  const one = JSON.stringify({ set: { KEY_00000: data.KEY_00000 } });
  return {
    create: await sequentially(rounds, (i) => vault.write(write.replace('"bench"', `"bench ${i}"`))),
    overwrite: await sequentially(rounds, (i) => vault.write(write.replace('"bench"', `"bench ${i}"`))),
    names: await sequentially(rounds * 4, () => vault.names(id)),
    patchOne: await sequentially(rounds * 20, () => vault.patch(id, one)),
    patchAll: await sequentially(rounds, () => vault.patch(id, change)),
  };
}

/** Alternates between retrievals of one key and of a hundred, so that both run under the same conditions. */
async function measureRetrievals(stack, vault, id, names, rounds) {
  const pids = pidsOf({ ...stack.services, ...stack.infrastructure });
  const measured = [];
  for (let round = 1; round <= rounds; round++) {
    say(`retrievals, round ${round} of ${rounds}`);
    const one = await retrievals(vault, id, names, { keys: 1, count: 100, concurrency: 1 });
    const hundred = await retrievals(vault, id, names, { keys: 100, count: 20, concurrency: 1 });
    measured.push({
      one,
      hundred,
      oneMany: await withCpu(pids, 640, (count) =>
        retrievals(vault, id, names, { keys: 1, count, concurrency: CONCURRENCY }),
      ),
      hundredMany: await withCpu(pids, 96, (count) =>
        retrievals(vault, id, names, { keys: 100, count, concurrency: CONCURRENCY }),
      ),
    });
  }
  return measured;
}

async function withCpu(pids, count, work) {
  const before = cpuMicroseconds(pids);
  const run = await work(count);
  return { ...run, cpu: perRequest(before, cpuMicroseconds(pids), count) };
}

function retrievals(vault, id, names, { keys, count, concurrency }) {
  const some = () => {
    const first = randomInt(names.length - keys);
    return names.slice(first, first + keys);
  };
  return load({ count, concurrency, task: () => vault.retrieve(id, some()) });
}

function valueOf(bytes) {
  return Array.from({ length: bytes }, () => randomInt(36).toString(36)).join('');
}

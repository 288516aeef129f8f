// Structured ingots of 10,000 keys, and a retrieval of 100 keys against single ones.
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
import { openShelf } from './shelf.mjs';

const KEYS = 10_000;
const CONCURRENCY = 32;

/** The bench of `npm run bench -- structured`. `args`: what stands after the name. */
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
  const shelf = await openShelf(stack, CONCURRENCY);
  try {
    say('warming up');
    const id = await shelf.write(work.write);
    await retrievals(shelf, id, names, { keys: 1, count: 300, concurrency: 8 });
    await retrievals(shelf, id, names, { keys: 100, count: 30, concurrency: 8 });
    const whole = await wholeIngots(shelf, id, data, work, rounds);
    const reads = await readings(stack, shelf, id, names, rounds);
    say('measuring the limits of this machine');
    const limits = await measureLimits(stack, { count: 300, concurrency: 1 });
    const parts = await measureParts(stack, work);
    report({ whole, reads, limits, parts, bodyBytes: Buffer.byteLength(work.write), keys: KEYS, bytes });
  } finally {
    shelf.close();
  }
}

/** One call after the other: writing, listing and changing 10,000 keys. */
async function wholeIngots(shelf, id, data, { write }, rounds) {
  say(`${KEYS} keys, concurrency 1`);
  const inTurn = (count, task) => load({ count, concurrency: 1, task });
  const change = JSON.stringify({ set: data });
  const one = JSON.stringify({ set: { KEY_00000: data.KEY_00000 } });
  return {
    create: await inTurn(rounds, (i) => shelf.write(write.replace('"bench"', `"bench ${i}"`))),
    overwrite: await inTurn(rounds, (i) => shelf.write(write.replace('"bench"', `"bench ${i}"`))),
    names: await inTurn(rounds * 4, () => shelf.names(id)),
    patchOne: await inTurn(rounds * 20, () => shelf.patch(id, one)),
    patchAll: await inTurn(rounds, () => shelf.patch(id, change)),
  };
}

/** Retrievals of one key and of a hundred in turn, so that both meet the same machine. */
async function readings(stack, shelf, id, names, rounds) {
  const pids = pidsOf({ ...stack.services, ...stack.infrastructure });
  const measured = [];
  for (let round = 1; round <= rounds; round++) {
    say(`retrievals, round ${round} of ${rounds}`);
    const one = await retrievals(shelf, id, names, { keys: 1, count: 100, concurrency: 1 });
    const hundred = await retrievals(shelf, id, names, { keys: 100, count: 20, concurrency: 1 });
    measured.push({
      one,
      hundred,
      oneMany: await withCpu(pids, 640, (count) =>
        retrievals(shelf, id, names, { keys: 1, count, concurrency: CONCURRENCY }),
      ),
      hundredMany: await withCpu(pids, 96, (count) =>
        retrievals(shelf, id, names, { keys: 100, count, concurrency: CONCURRENCY }),
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

function retrievals(shelf, id, names, { keys, count, concurrency }) {
  const some = () => {
    const first = randomInt(names.length - keys);
    return names.slice(first, first + keys);
  };
  return load({ count, concurrency, task: () => shelf.retrieve(id, some()) });
}

function valueOf(bytes) {
  return Array.from({ length: bytes }, () => randomInt(36).toString(36)).join('');
}

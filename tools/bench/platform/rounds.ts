// @ts-nocheck
// Creates and burns Sparks with the product and the bare pipeline in interleaved rounds.
import type { Client } from 'pg';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import { say } from '../report.ts';
import { sparksClient } from '../sparks.ts';
import { readHops, sharesOf } from './hops.ts';
import { byGroup } from './process-groups.ts';
import { walPosition } from './wal.ts';

export const KIB = 1_024;
export const CONCURRENCIES = [1, 32, 128];
export const STEPS = ['create', 'burn'];

/** The stages of a request are measured at this concurrency. */
const HOPS_AT = 32;

/** One of the two pipelines. */
export interface Side {
  name: 'ours' | 'bare';
  origin: string;
  apiKey: string;
  pids: Record<string, number>;
}

/** @returns one record per round and concurrency: `create` and `burn`, each of both sides */
export async function measureRounds(bench: {
  stack: object;
  sides: Side[];
  backlog: object;
  database: Client;
  count: number;
  rounds: number;
}) {
  const records = [];
  for (let round = 1; round <= bench.rounds; round++) {
    // The first side alternates, so that a drift of the machine favours neither.
    const sides = round % 2 ? bench.sides : bench.sides.toReversed();
    for (const concurrency of CONCURRENCIES) {
      const count = concurrency === 1 ? Math.ceil(bench.count / 10) : bench.count;
      say(`round ${round} of ${bench.rounds}, concurrency ${concurrency}: ${count} Sparks on each side`);
      records.push({ concurrency, ...(await measureRound({ ...bench, sides, count, concurrency })) });
    }
  }
  return records;
}

/** Both sides create, then both burn: the two loads that are compared follow each other closely. */
async function measureRound(bench) {
  const clients = new Map(
    bench.sides.map(({ name, origin, apiKey }) => [name, sparksClient(origin, apiKey, bench.concurrency)]),
  );
  const record = { create: {}, burn: {} };
  try {
    for (const step of STEPS) {
      for (const side of bench.sides) {
        const client = clients.get(side.name);
        await client.connect();
        const load = () =>
          step === 'create'
            ? client.create({ count: bench.count, bytes: KIB })
            : client.burn(record.create[side.name]);
        record[step][side.name] = await measureLoad(bench, side, load);
      }
    }
    return record;
  } finally {
    for (const client of clients.values()) client.close();
  }
}

/** One load of one side. Its processor time and its bytes of log include the events that it caused. */
async function measureLoad({ stack, backlog, database, concurrency }, { name, pids }, load) {
  const hasHops = name === 'ours' && concurrency === HOPS_AT;
  const hops = hasHops && (await readHops(stack));
  const wal = await walPosition(database);
  const cpu = cpuMicroseconds(pids);
  const figures = await load();
  const replied = await walPosition(database);
  await backlog.wait();
  const used = perRequest(cpu, cpuMicroseconds(pids), figures.count);
  const applied = await walPosition(database);
  return {
    ...figures,
    cpu: byGroup(used),
    wal: {
      replied: Number(replied - wal) / figures.count,
      applied: Number(applied - wal) / figures.count,
    },
    hops: hasHops && sharesOf(hops, await readHops(stack), figures.count, figures.mean),
  };
}

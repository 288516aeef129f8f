// Creates and burns Sparks with the product and the bare pipeline in interleaved rounds.
import type { Client } from 'pg';
import type { StackDescription } from '../../stack/descriptor.ts';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import type { Measured } from '../load.ts';
import { say } from '../report.ts';
import type { Figures } from '../rows.ts';
import { sparksClient, type CreatedSparks } from '../sparks.ts';
import type { EventBacklog } from './event-backlog.ts';
import { readHops, sharesOf, type Stage } from './hops.ts';
import { byGroup, type GroupFigures } from './process-groups.ts';
import { walPosition } from './wal.ts';

export const KIB = 1_024;
export const CONCURRENCIES = [1, 32, 128];
export const STEPS = ['create', 'burn'] as const;
export type Step = (typeof STEPS)[number];

/** The stages of a request are measured at this concurrency. */
const HOPS_AT = 32;

/** A figure of each pipeline. */
export interface Sides<Figure> {
  ours: Figure;
  bare: Figure;
}

/** A load of one side: its processor time and its bytes of log, both per request. */
export interface LoadFigures extends Figures {
  cpu: GroupFigures;
  wal: { replied: number; applied: number };
  hops?: Stage[] | undefined;
}

/** The loads of both sides in one round, at one concurrency. */
export type Round = { concurrency: number } & Record<Step, Sides<LoadFigures>>;

/** One of the two pipelines. */
export interface Side {
  name: keyof Sides<unknown>;
  origin: string;
  apiKey: string;
  pids: Record<string, number>;
}

/** @returns one record per round and concurrency: `create` and `burn`, each of both sides */
export async function measureRounds(bench: {
  stack: StackDescription;
  sides: Side[];
  backlog: EventBacklog;
  database: Client;
  count: number;
  rounds: number;
}): Promise<Round[]> {
  const records: Round[] = [];
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

interface RoundSettings {
  stack: StackDescription;
  sides: Side[];
  backlog: EventBacklog;
  database: Client;
  count: number;
  concurrency: number;
}

/** Both sides create, then both burn: the two loads that are compared follow each other closely. */
async function measureRound(bench: RoundSettings): Promise<Record<Step, Sides<LoadFigures>>> {
  const clients = await ofBothSides(bench.sides, ({ origin, apiKey }) =>
    sparksClient(origin, apiKey, bench.concurrency),
  );
  const measure = (loadOf: (name: Side['name']) => Promise<CreatedSparks | Measured<void>>) =>
    ofBothSides(bench.sides, async (side) => {
      await clients[side.name].connect();
      return measureLoad(bench, side, () => loadOf(side.name));
    });
  try {
    const created: Partial<Sides<CreatedSparks>> = {};
    const create = await measure(
      async (name) => (created[name] = await clients[name].create({ count: bench.count, bytes: KIB })),
    );
    const burn = await measure((name) => clients[name].burn(created[name] ?? { results: [] }));
    return { create, burn };
  } finally {
    for (const client of Object.values(clients)) client.close();
  }
}

/** Measures one side after the other, in the given order. */
export async function ofBothSides<Figure>(
  sides: readonly Side[],
  measure: (side: Side) => Figure | Promise<Figure>,
): Promise<Sides<Figure>> {
  const measured = new Map<Side['name'], Figure>();
  for (const side of sides) measured.set(side.name, await measure(side));
  const of = (name: Side['name']) => {
    if (!measured.has(name)) throw new Error(`${name} was not measured`);
    return measured.get(name) as Figure;
  };
  return { ours: of('ours'), bare: of('bare') };
}

/** One load of one side. Its processor time and its bytes of log include the events that it caused. */
async function measureLoad(
  { stack, backlog, database, concurrency }: RoundSettings,
  { name, pids }: Side,
  load: () => Promise<Measured<unknown>>,
): Promise<LoadFigures> {
  const hasHops = name === 'ours' && concurrency === HOPS_AT;
  const hops = hasHops ? await readHops(stack) : undefined;
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
    hops: hops && sharesOf(hops, await readHops(stack), figures.count, figures.mean),
  };
}

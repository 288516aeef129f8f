// Where the time of one caller goes, hop by hop, beside what each hop takes without the product.
import { parseArgs } from 'node:util';
import { createClient } from '@redis/client';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { measureLimits } from '../limits.ts';
import { load } from '../load.ts';
import { median, say, table } from '../report.ts';
import { createAndBurn, sparksClient } from '../sparks.ts';
import { startBarePipeline } from './bare-pipeline.ts';
import { readHops, sharesOf, type Stage } from './hops.ts';
import { KIB, STEPS, type Step } from './rounds.ts';

const WARM_UP_COUNT = 1_000;
const LEGS = [
  'client and network',
  'gateway itself',
  'Redis (credential and limit)',
  'NATS both ways',
  'service itself',
  'PostgreSQL',
];

/** `npm run bench -- hops`. `args`: the arguments after the name. */
export async function benchHops(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { count: { type: 'string', default: '400' }, rounds: { type: 'string', default: '5' } },
  });
  await withTemporaryStack((stack) => measure(stack, Number(values.count), Number(values.rounds)));
}

/** Means of one round in milliseconds. */
interface Round {
  stages: Record<Step, Stage[]>;
  bare: Record<Step, number>;
  limits: Record<'http' | 'nats' | 'redis' | 'pgInsert' | 'pgBurn', number>;
}

async function measure(stack: StackDescription, count: number, rounds: number) {
  const bare = await startBarePipeline(stack);
  try {
    say('warming up');
    for (const [origin, key] of [
      [stack.api_url, stack.account.api_key ?? ''],
      [bare.origin, 'bench'],
    ] as const)
      await createAndBurn(origin, key, { count: WARM_UP_COUNT, concurrency: 8, bytes: KIB });
    const measured: Round[] = [];
    for (let round = 1; round <= rounds; round++) {
      say(`round ${round} of ${rounds}: ${count} Sparks by one caller`);
      measured.push(await measureRound(stack, bare.origin, count));
    }
    report(measured);
  } finally {
    bare.stop();
  }
}

async function measureRound(stack: StackDescription, bareOrigin: string, count: number): Promise<Round> {
  const stages = await measureStages(stack, count);
  const { create, burn } = await createAndBurn(bareOrigin, 'bench', { count, concurrency: 1, bytes: KIB });
  const { http, nats, pgInsert, pgBurn } = await measureLimits(stack, { count, concurrency: 1 });
  const limits = { http: http.mean, nats: nats.mean, pgInsert: pgInsert.mean, pgBurn: pgBurn.mean };
  return {
    stages,
    bare: { create: create.mean, burn: burn.mean },
    limits: { ...limits, redis: await bareRedis(stack.redis_url ?? '', count) },
  };
}

async function measureStages(stack: StackDescription, count: number): Promise<Record<Step, Stage[]>> {
  const client = sparksClient(stack.api_url, stack.account.api_key ?? '', 1);
  try {
    await client.connect();
    const start = await readHops(stack);
    const create = await client.create({ count, bytes: KIB });
    const between = await readHops(stack);
    const burn = await client.burn(create);
    return {
      create: sharesOf(start, between, count, create.mean),
      burn: sharesOf(between, await readHops(stack), count, burn.mean),
    };
  } finally {
    client.close();
  }
}

/** A script of two commands. */
async function bareRedis(url: string, count: number): Promise<number> {
  const redis = await createClient({ url }).connect();
  try {
    const script = await redis.scriptLoad(
      `return {redis.call('INCR', KEYS[1]), redis.call('EXPIRE', KEYS[1], 65)}`,
    );
    const task = () => redis.evalSha(script, { keys: ['bare:hops'] });
    return (await load({ count, concurrency: 1, task })).mean;
  } finally {
    await redis.close();
  }
}

function report(rounds: Round[]) {
  const limitOf = (leg: string, step: Step): keyof Round['limits'] | undefined => {
    if (leg === 'client and network') return 'http';
    if (leg === 'NATS both ways') return 'nats';
    if (leg.startsWith('Redis')) return 'redis';
    if (leg === 'PostgreSQL') return step === 'create' ? 'pgInsert' : 'pgBurn';
    return undefined;
  };
  const middle = (of: (round: Round) => number) => median(rounds.map(of)).toFixed(2);
  const oursOf = (leg: string, step: Step) =>
    middle(({ stages }) => stages[step].find((stage) => stage.leg === leg)?.ms ?? Number.NaN);
  const bareOf = (leg: string, step: Step) => {
    const limit = limitOf(leg, step);
    return limit ? middle(({ limits }) => limits[limit]) : '';
  };
  const totalOf = (step: Step) => middle(({ stages }) => stages[step].reduce((sum, { ms }) => sum + ms, 0));
  table(
    `One caller, milliseconds: means of a round, medians of ${rounds.length} rounds; "alone": the same hop without the product`,
    ['', ...STEPS.flatMap((step) => [step, 'alone'])],
    [
      ...LEGS.map((leg) => [leg, ...STEPS.flatMap((step) => [oursOf(leg, step), bareOf(leg, step)])]),
      ['all', ...STEPS.flatMap((step) => [totalOf(step), ''])],
      ['bare pipeline', ...STEPS.flatMap((step) => ['', middle(({ bare }) => bare[step])])],
    ],
  );
}

// Processor time per request of this checkout and of another one, in interleaved pairs.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { StackDescription } from '../stack/descriptor.ts';
import { startTemporaryStack } from '../stack/temporary-stack.ts';
import { cpuMicroseconds } from './cpu.ts';
import { ratioOf, type Pair } from './interval.ts';
import { median, say, table } from './report.ts';
import { pidsOf, sum } from './rows.ts';
import { createAndBurn } from './sparks.ts';

/** `npm run bench -- compare --with <checkout>`. `args`: the arguments after the name. */
export async function benchCompare(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      with: { type: 'string' },
      pairs: { type: 'string', default: '20' },
      count: { type: 'string', default: '1500' },
      traces: { type: 'string' },
    },
  });
  if (!values.with) throw new Error('--with needs the folder of the other checkout, with its node modules');
  say('starting a stack of each checkout');
  // Releases up to 0.1 accept no longer wait.
  const settings01 = { REDIS_ANSWER_MS: '2500' };
  const other = await startTemporaryStack({ checkout: resolve(values.with), settings: settings01 });
  const collector = values.traces === undefined ? undefined : await startCollector();
  const settings = collector && { TRACES_ENDPOINT: collector.url, TRACES_RATIO: values.traces ?? '' };
  try {
    const own = await startTemporaryStack({ settings });
    try {
      report(
        await measurePairs(own.descriptor(), other.descriptor(), Number(values.pairs), Number(values.count)),
      );
    } finally {
      await own.stop();
    }
    collector?.report();
  } finally {
    collector?.close();
    await other.stop();
  }
}

/** Accepts the spans of this checkout; its own processor time is not measured. */
async function startCollector() {
  let exports = 0;
  const server = createServer((request, response) => {
    exports += 1;
    request.resume().once('end', () => response.end('{}'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    report: () => say(`the collector received ${exports} exports`),
    close: () => void server.close().closeAllConnections(),
  };
}

/** Each measurement is made in so many slices, which alternate with those of the other side. */
const SLICES = 6;

/** In microseconds per request. The first side of a slice alternates, so that a drift of the machine favours neither. */
async function measurePairs(
  own: StackDescription,
  other: StackDescription,
  pairs: number,
  count: number,
): Promise<Pair[]> {
  say('warming up');
  for (const stack of [own, other]) await spend(stack, 2 * count);
  const measured: Pair[] = [];
  for (let pair = 1; pair <= pairs; pair++) {
    say(`pair ${pair} of ${pairs}: ${count} Sparks created and burned on each side`);
    const used = { own: 0, other: 0 };
    const spendOwn = async () => void (used.own += await spend(own, Math.ceil(count / SLICES)));
    const spendOther = async () => void (used.other += await spend(other, Math.ceil(count / SLICES)));
    for (let slice = 0; slice < SLICES; slice++)
      for (const side of (pair + slice) % 2 ? [spendOwn, spendOther] : [spendOther, spendOwn]) await side();
    measured.push({ own: used.own / SLICES, other: used.other / SLICES });
  }
  return measured;
}

/** Microseconds of processor time per request, of all services and servers. */
async function spend(stack: StackDescription, count: number) {
  const pids = pidsOf({ ...stack.services, ...stack.infrastructure, kms: stack.kms });
  const before = sum(cpuMicroseconds(pids));
  const { create, burn } = await createAndBurn(stack.api_url, stack.account.api_key ?? '', {
    count,
    concurrency: 32,
    bytes: 1_024,
  });
  if (create.errors + burn.errors > 0) throw new Error(`${create.errors + burn.errors} requests failed`);
  return (sum(cpuMicroseconds(pids)) - before) / (2 * count);
}

function report(pairs: Pair[]) {
  const { ratio, low, high } = ratioOf(pairs);
  const middle = (side: keyof Pair) => median(pairs.map((pair) => pair[side])).toFixed(0);
  table(
    'Processor time per request (median), and its ratio: geometric mean and 95 % interval of the pairs',
    ['', 'this µs', 'other µs', 'ratio', 'from', 'to'],
    [
      [
        `${pairs.length} pairs`,
        middle('own'),
        middle('other'),
        ...[ratio, low, high].map((x) => x.toFixed(3)),
      ],
    ],
  );
}

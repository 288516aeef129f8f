#!/usr/bin/env node
// npm run bench [-- <name> [options]]: measures on this machine; only the ratios are comparable between machines.
import { benchAnalytics } from './analytics/bench.ts';
import { benchBytes } from './bytes/bench.ts';
import { benchCompare } from './compare.ts';
import { benchCatchUp } from './catch-up/bench.ts';
import { benchForge } from './forge/bench.ts';
import { benchFairness } from './forge/fairness.ts';
import { benchGrowth } from './growth/bench.ts';
import { benchIdle } from './idle.ts';
import { benchHops } from './platform/hops-bench.ts';
import { benchPlatform } from './platform/bench.ts';
import { benchSends } from './sends/bench.ts';
import { benchWeb } from './web/bench.ts';
import { benchWebhooks } from './webhooks/bench.ts';
import { removeStacksOnSignals } from '../stack/temporary-stack.ts';

interface Bench {
  run: (args: string[]) => Promise<void>;
  /** What it measures, and its options. */
  help: [string, ...string[]];
}

const benches: ReadonlyMap<string, Bench> = new Map<string, Bench>([
  [
    'platform',
    {
      run: benchPlatform,
      help: [
        'Sparks through the gateway, compared with a bare pipeline and the limits of this machine (default)',
        '--count N       Sparks per round at concurrency 32 and 128 each (2000; a tenth of it at concurrency 1)',
        '--rounds N      rounds, alternating with the bare pipeline (5)',
        '--profile NAME  afterwards profiles this service, prints its costliest frames and writes flame graphs',
      ],
    },
  ],
  [
    'compare',
    {
      run: benchCompare,
      help: [
        'processor time per request, compared with another checkout, in interleaved pairs',
        '--with FOLDER   the other checkout, with its node modules (required)',
        '--pairs N       pairs of measurements (20)',
        '--count N       Sparks created and burned in each measurement (1500)',
        '--traces SHARE  this checkout records so many of its requests, from 0 to 1; without it traces are off',
      ],
    },
  ],
  [
    'idle',
    {
      run: benchIdle,
      help: [
        'what the services use while nobody calls them: processor time, wake-ups and memory, beside another checkout',
        '--with FOLDER   the other checkout, with its node modules (required)',
        '--seconds N     how long both are left alone (60)',
      ],
    },
  ],
  [
    'hops',
    {
      run: benchHops,
      help: [
        'where the time of one caller goes, hop by hop, beside what each hop takes without the product',
        '--count N       Sparks of each round (400)',
        '--rounds N      rounds (5)',
      ],
    },
  ],
  [
    'forge',
    {
      run: benchForge,
      help: [
        'encrypted uploads and downloads, compared with a plain tus server and the limits of this machine',
        '--megabytes N   size of the file of one client; each of eight clients sends a fifth of it (500)',
        '--rounds N      rounds, alternating with the plain server (3)',
        '--uploads N     concurrent uploads during the measurement of memory (50)',
        '--with FOLDER   only processor time, compared with another checkout, with its node modules, in interleaved pairs',
      ],
    },
  ],
  [
    'fairness',
    {
      run: benchFairness,
      help: [
        'transfers of one account alone, and during slow downloads and uploads of other accounts',
        '--megabytes N   size of the transferred file (200)',
        '--rounds N      rounds, alternating between alone and attacked (5)',
        '--readers N     readers of one other account, each at 1 KiB/s (1000)',
        '--uploads N     uploads of two other accounts, each at 20 KiB/s (64)',
      ],
    },
  ],
  [
    'analytics',
    {
      run: benchAnalytics,
      help: [
        'analytics and the usage ledger of one account, with a tenth of a year of events and with all of them',
        '--events N      events of the year (5000000)',
        '--count N       calls of each endpoint (500)',
      ],
    },
  ],
  [
    'growth',
    {
      run: benchGrowth,
      help: [
        'Sparks and lists with empty tables, and with 10 million spent Sparks, 100,000 live ones and 10 million events',
        '--size N        so many times these rows, or a part of them (1); one needs 12 GB of disk',
        '--count N       Sparks of each load (3000)',
        '--rounds N      rounds, alternating between both (5)',
        '--save FILE     writes the ratios to a file',
        '--baseline FILE prints the ratios of such a file, as tools/bench/growth/baseline.json, beside those of this run',
      ],
    },
  ],
  [
    'bytes',
    {
      run: benchBytes,
      help: [
        'what a create and a burn of a Spark leave in all databases and in the object store, when their time is over',
        '--count N       Sparks (20000)',
      ],
    },
  ],
  [
    'catch-up',
    {
      run: benchCatchUp,
      help: [
        'how fast reporting applies the events of its downtime, while live calls go on',
        '--events N      events while reporting is down (60000)',
        '--rate N        live calls per second, of two events each (50)',
        '--accounts N    accounts that make the calls (8)',
      ],
    },
  ],
  [
    'webhooks',
    {
      run: benchWebhooks,
      help: [
        'how long the chat platform, which waits three seconds, waits for answers at a fixed rate of webhooks',
        '--rate N        webhooks per second (200)',
        '--workspaces N  workspaces, each of an account of its own (100)',
        '--seconds N     duration (30)',
      ],
    },
  ],
  [
    'sends',
    {
      run: benchSends,
      help: [
        'the largest content to 500 recipients: acceptance, growth of the databases, and creates of another account beside it',
        '--rounds N      rounds of creates alone and beside the sends (5)',
        '--sends N       sends of each round (20)',
      ],
    },
  ],
  [
    'web',
    {
      run: benchWeb,
      help: [
        'how soon the web application answers a person in a folder of many files, the processor slowed four times',
        '--files N       files of the folder (1000)',
        '--rounds N      rounds of each act (20)',
      ],
    },
  ],
]);

function usage() {
  const lines = [...benches].flatMap(([name, { help }]) => [
    `  ${name.padEnd(12)}${help[0]}`,
    ...help.slice(1).map((line) => `${' '.repeat(16)}${line}`),
  ]);
  return `Usage: npm run bench [-- <name> [options]]\n${lines.join('\n')}\n`;
}

/** The name is optional, also before options. */
function readCommand([first = 'platform', ...rest]: string[]) {
  return first.startsWith('-') ? { name: 'platform', args: [first, ...rest] } : { name: first, args: rest };
}

async function main(given: string[]) {
  if (given.includes('--help')) return void process.stdout.write(usage());
  const { name, args } = readCommand(given);
  const bench = benches.get(name);
  if (!bench) throw new Error(`Unknown benchmark ${name}.\n${usage()}`);
  await bench.run(args);
}

/** The messages of an error and its causes. */
function reasonsOf(error: unknown): string[] {
  if (error === undefined) return [];
  return error instanceof Error ? [error.message, ...reasonsOf(error.cause)] : [JSON.stringify(error)];
}

removeStacksOnSignals();
try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${reasonsOf(error).join('\nbecause ')}\n`);
  process.exit(1);
}

#!/usr/bin/env node
// npm run simulate: predicts throughput and latency of creates and burns from measured costs, and compares with measurements.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Step } from '../bench/platform/rounds.ts';
import { removeStacksOnSignals } from '../stack/temporary-stack.ts';
import { parseCommandLine, UsageError } from '../stack/usage.ts';
import { compare } from './compare.ts';
import type { Fitted } from './fit.ts';
import { predict } from './predict.ts';

const usage = `Predicts requests a second, p50 and p99 of creates and burns by a queueing network with the costs of this machine.

  npm run simulate                        measures the costs, then compares six loads that a seed draws with their measurements
      --seed N                            of the loads (1)
      --rounds N                          short measurements of each load, in turn (12)
      --save FILE                         writes the networks, for the other form
  npm run simulate -- --costs FILE        predicts with the networks of such a file, without measuring
      --callers N                         (32)
      --cores N                           of each machine (as measured)
      --apart                             each kind of process has a machine of its own; the network between them takes no time
      --gateways N --sparks N             copies of these services (1)
  npm run simulate -- --help              prints this help

Exit code: 0 done, 1 the measurement failed, 2 the command line is wrong.
`;

/** Of the files: a network of another form has other costs. */
const VERSION = 2;

interface SavedNetworks {
  readonly version: typeof VERSION;
  readonly networks: Record<Step, Fitted>;
}

function readOptions() {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    seed: { type: 'string', default: '1' },
    rounds: { type: 'string', default: '12' },
    save: { type: 'string' },
    costs: { type: 'string' },
    callers: { type: 'string', default: '32' },
    cores: { type: 'string' },
    apart: { type: 'boolean', default: false },
    gateways: { type: 'string', default: '1' },
    sparks: { type: 'string', default: '1' },
  } as const;
  const { values } = parseCommandLine({ options }, 'npm run simulate -- --help');
  const whole = (name: 'seed' | 'rounds' | 'callers' | 'cores' | 'gateways' | 'sparks') =>
    wholeNumber(name, values[name]);
  return {
    ...values,
    seed: whole('seed') ?? 1,
    rounds: whole('rounds') ?? 12,
    callers: whole('callers') ?? 32,
    cores: whole('cores'),
    copies: { gateway: whole('gateways') ?? 1, sparks: whole('sparks') ?? 1 },
    networks: values.costs === undefined ? undefined : readNetworks(values.costs),
  };
}

/** From 1 to 99,999. */
function wholeNumber(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,4}$/.test(value)) return Number(value);
  throw new UsageError(`--${name} is a whole number from 1 to 99999, not ${value}.`);
}

function readNetworks(file: string): Record<Step, Fitted> {
  const unusable = () => new UsageError(`${file} was not written by --save of this version.`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`--costs: ${(error as Error).message}.`);
  }
  try {
    const saved = JSON.parse(text) as SavedNetworks;
    if (saved.version === VERSION) return saved.networks;
  } catch {
    throw unusable();
  }
  throw unusable();
}

/** Before the measurement: a file that cannot be written would be found after four minutes. */
function prepareFile(file: string): void {
  try {
    writeFileSync(file, '', { flag: 'a' });
  } catch (error) {
    throw new UsageError(`--save: ${(error as Error).message}.`);
  }
}

let options: ReturnType<typeof readOptions>;
try {
  options = readOptions();
  if (options.save !== undefined) prepareFile(options.save);
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(2);
}
const { help, networks, callers, seed, rounds, save } = options;
if (help) process.stdout.write(usage);
else if (networks) predict(networks, callers, options);
else {
  removeStacksOnSignals();
  const fitted = await compare(seed, rounds);
  const saved = { version: VERSION, networks: fitted } satisfies SavedNetworks;
  if (save !== undefined) writeFileSync(save, `${JSON.stringify(saved, null, 2)}\n`);
}

// Processor time, wake-ups and memory of idle services, of this checkout and of another one at the same time.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startTemporaryStack, type TemporaryStack } from '../stack/temporary-stack.ts';
import { cpuMicroseconds, type Pids } from './cpu.ts';
import { say, table } from './report.ts';
import { pidsOf, sum } from './rows.ts';

/** Until the work that a start leaves is done. */
const SETTLE_MS = 30_000;

/** `npm run bench -- idle --with <checkout>`. `args`: the arguments after the name. */
export async function benchIdle(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { with: { type: 'string' }, seconds: { type: 'string', default: '60' } },
  });
  if (!values.with) throw new Error('--with needs the folder of the other checkout, with its node modules');
  say('starting a stack of each checkout');
  const other = await startTemporaryStack({ checkout: resolve(values.with) });
  try {
    const own = await startTemporaryStack();
    try {
      await report(own, other, Number(values.seconds));
    } finally {
      await own.stop();
    }
  } finally {
    await other.stop();
  }
}

async function report(own: TemporaryStack, other: TemporaryStack, seconds: number) {
  await delay(SETTLE_MS);
  say(`leaving both alone for ${seconds} s`);
  const sides = [own, other].map((stack) => new Side(pidsOf(stack.descriptor().services)));
  await delay(seconds * 1_000);
  const [ownUse, otherUse] = sides.map((side) => side.use(seconds));
  table(
    'Idle: percent of a core, wake-ups a second, MiB of memory (PSS)',
    ['', 'this %', 'other %', 'this wakes', 'other wakes', 'this MiB', 'other MiB'],
    Object.keys(ownUse ?? {}).map((name) => [
      name,
      ...(['percent', 'wakes', 'mebibytes'] as const).flatMap((figure) =>
        [ownUse, otherUse].map((use) => (use?.[name]?.[figure] ?? Number.NaN).toFixed(2)),
      ),
    ]),
  );
}

interface Use {
  readonly percent: number;
  readonly wakes: number;
  readonly mebibytes: number;
}

class Side {
  readonly #pids: Pids;
  readonly #cpu: Record<string, number>;
  readonly #wakes: Record<string, number>;

  constructor(pids: Pids) {
    this.#pids = pids;
    this.#cpu = cpuMicroseconds(pids);
    this.#wakes = each(pids, wakesOf);
  }

  /** Since the construction, by service and in all. */
  use(seconds: number): Record<string, Use> {
    const cpu = cpuMicroseconds(this.#pids);
    const wakes = each(this.#pids, wakesOf);
    const memory = each(this.#pids, proportionalMebibytes);
    const percent = (us: number) => us / seconds / 10_000;
    const since = (now: Record<string, number>, then: Record<string, number>) =>
      each(this.#pids, (_, name) => (now[name] ?? 0) - (then[name] ?? 0));
    const [used, woken] = [since(cpu, this.#cpu), since(wakes, this.#wakes)];
    const all = { percent: percent(sum(used)), wakes: sum(woken) / seconds, mebibytes: sum(memory) };
    const useOf = (name: string): Use => ({
      percent: percent(used[name] ?? 0),
      wakes: (woken[name] ?? 0) / seconds,
      mebibytes: memory[name] ?? 0,
    });
    return { ...Object.fromEntries(Object.keys(this.#pids).map((name) => [name, useOf(name)])), all };
  }
}

function each(pids: Pids, valueOf: (pid: number, name: string) => number): Record<string, number> {
  return Object.fromEntries(Object.entries(pids).map(([name, pid]) => [name, valueOf(pid, name)]));
}

/** Times that its main thread left its sleep. */
function wakesOf(pid: number): number {
  return numberIn(`/proc/${pid}/status`, /^voluntary_ctxt_switches:\s+(\d+)/m);
}

/** Memory that it shares with others counts in part. */
function proportionalMebibytes(pid: number): number {
  return numberIn(`/proc/${pid}/smaps_rollup`, /^Pss:\s+(\d+) kB/m) / 1_024;
}

function numberIn(path: string, pattern: RegExp): number {
  return Number(pattern.exec(readFileSync(path, 'utf8'))?.[1]);
}

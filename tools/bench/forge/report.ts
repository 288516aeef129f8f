// The results of the Forge benchmark as tables, with goals and causes.
import { median, table, type Cell } from '../report.ts';
import type { FirstByteTimes } from './first-byte.ts';
import type { measureMemory } from './memory.ts';
import type { ForgeRound, Run } from './rounds.ts';

const PLAIN = 'plain tus server';
const FORGE = 'Forge';
type Way = 'upload' | 'download';
const WAYS = ['upload', 'download'] as const;

const GOALS = { upload: 1, download: 0.9, memoryMb: 300, firstByteGrowth: 1.5 };

/** The first bytes of a target. */
export interface FirstBytes {
  target: string;
  positions: FirstByteTimes[];
}

type Memory = Awaited<ReturnType<typeof measureMemory>>;

export function reportForge(
  { records, firstBytes, memory }: { records: ForgeRound[]; firstBytes: FirstBytes[]; memory: Memory },
  { uploads }: { uploads: number },
) {
  reportRates(records);
  reportLimits(records);
  reportRatios(records);
  reportFirstBytes(firstBytes);
  reportGoals(records, firstBytes, memory, uploads);
}

function reportRates(records: ForgeRound[]) {
  const rows = kindsOf(records).map(({ target, clients }) => {
    const runs = runsOf(records, target, clients);
    return [
      `${target}, ${clients} client${clients > 1 ? 's' : ''}`,
      spread(runs.map(({ upload }) => upload.rate)),
      spread(runs.map(({ download }) => download.rate)),
      ...WAYS.map((way) => median(runs.map((run) => cpuMs(run, way, clients))).toFixed(0)),
      median(runs.map(({ upload }) => upload.clientMs / clients)).toFixed(0),
    ];
  });
  const head = ['', 'upload MB/s', 'download MB/s', 'CPU ms/upload', 'CPU ms/download', 'client ms/upload'];
  table(`Transfers, median [min..max] of ${records.length} rounds`, head, rows);
}

function reportLimits(records: ForgeRound[]) {
  const names = Object.keys(records[0]?.limits ?? {}) as (keyof ForgeRound['limits'])[];
  const rows = names.map((name) => [name, spread(records.map(({ limits }) => limits[name]))]);
  table('Limits of this machine', ['', 'MB/s'], rows);
}

function reportRatios(records: ForgeRound[]) {
  const rows = kindsOf(records)
    .filter(({ target }) => target !== PLAIN)
    .map(({ target, clients }) => [
      `${target}, ${clients} client${clients > 1 ? 's' : ''}`,
      spread(ratios(records, target, clients, 'upload'), 2),
      spread(ratios(records, target, clients, 'download'), 2),
    ]);
  table('Divided by the plain tus server, round by round', ['', 'upload', 'download'], rows);
  process.stdout.write(`\n${causes(records).join('\n')}\n`);
}

function reportFirstBytes(firstBytes: FirstBytes[]) {
  const rows = firstBytes.flatMap(({ target, positions }) =>
    positions.map(({ file, position, p50, p95 }) => [
      `${target}, ${file}, ${position}`,
      p50.toFixed(2),
      p95.toFixed(2),
    ]),
  );
  table('First byte of a Range of 64 KiB', ['', 'p50 ms', 'p95 ms'], rows);
}

function reportGoals(records: ForgeRound[], firstBytes: FirstBytes[], memory: Memory, uploads: number) {
  const rows = [1, 8].flatMap((clients) =>
    WAYS.map((way) => {
      const reached = median(ratios(records, FORGE, clients, way));
      return goal(`${way}, ${clients} client(s), of plain`, GOALS[way], reached, reached >= GOALS[way], 2);
    }),
  );
  const growth = growthOf(firstBytes.find(({ target }) => target === FORGE)?.positions ?? []);
  rows.push(
    goal(
      'first byte, largest file to smallest',
      GOALS.firstByteGrowth,
      growth,
      growth <= GOALS.firstByteGrowth,
      2,
    ),
    goal(`MB resident, ${uploads} uploads`, GOALS.memoryMb, memory.peakMb, memory.peakMb < GOALS.memoryMb, 0),
  );
  table('Goals', ['', 'goal', 'measured', ''], rows);
  process.stdout.write(
    `\nForge had ${memory.idleMb.toFixed(0)} MB before the ${uploads} uploads, which lasted ${memory.seconds.toFixed(1)} s.\n`,
  );
}

function goal(name: string, expected: number, measured: number, isReached: boolean, digits: number): Cell[] {
  return [name, expected, measured.toFixed(digits), isReached ? 'reached' : 'not reached'];
}

/** The slowest position of the largest file, divided by the slowest of the smallest. */
function growthOf(positions: FirstByteTimes[]) {
  const [large = Number.NaN, small = Number.NaN] = [...new Set(positions.map(({ file }) => file))].map(
    (name) => Math.max(...positions.filter(({ file }) => file === name).map(({ p50 }) => p50)),
  );
  return large / small;
}

/** Explains the ratios by processor and disk time. */
function causes(records: ForgeRound[]) {
  return [1, 8].flatMap((clients) =>
    WAYS.map((way) => {
      const ratio = median(ratios(records, FORGE, clients, way)).toFixed(2);
      return `${way}, ${clients} client(s): ${ratio} of plain. ${cause(records, clients, way)}`;
    }),
  );
}

function cause(records: ForgeRound[], clients: number, way: Way) {
  const busy = (target: string) =>
    median(
      runsOf(records, target, clients).map(
        (run) => (run[way].cpuMs.server ?? Number.NaN) / run[way].seconds / 1_000,
      ),
    );
  const cpu = (target: string) =>
    median(runsOf(records, target, clients).map((run) => cpuMs(run, way, clients)));
  const facts = `Forge spends ${cpu(FORGE).toFixed(0)} ms of processor time on one, plain ${cpu(PLAIN).toFixed(0)} ms; its process is busy ${percent(busy(FORGE))} of the time, plain's ${percent(busy(PLAIN))}.`;
  return way === 'upload' ? `${facts} ${diskFact(records, clients)}` : facts;
}

function diskFact(records: ForgeRound[], clients: number) {
  const synced = median(ratiosBetween(records, FORGE, 'Forge, OBJECTS_FSYNC=false', clients, 'upload'));
  const limit = median(records.map(({ limits }) => limits['new file, 1 MiB writes, fsync']));
  const rate = median(runsOf(records, FORGE, clients).map(({ upload }) => upload.rate));
  return `Waiting for the disk slows it down by a factor of ${(1 / synced).toFixed(2)} (plain does not wait); it writes at ${percent(rate / limit)} of the rate of one new file with fsync.`;
}

function percent(share: number) {
  return `${(share * 100).toFixed(0)} %`;
}

function ratios(records: ForgeRound[], target: string, clients: number, way: Way) {
  return ratiosBetween(records, target, PLAIN, clients, way);
}

function ratiosBetween(records: ForgeRound[], target: string, base: string, clients: number, way: Way) {
  const bases = runsOf(records, base, clients);
  return runsOf(records, target, clients).map(
    (run, round) => run[way].rate / (bases[round]?.[way].rate ?? Number.NaN),
  );
}

function cpuMs(run: Run, way: Way, clients: number) {
  return Object.values(run[way].cpuMs).reduce((sum, ms) => sum + ms, 0) / clients;
}

function kindsOf([first]: ForgeRound[]) {
  const runs = first?.runs ?? [];
  const names = [PLAIN, ...new Set(runs.map(({ target }) => target).filter((name) => name !== PLAIN))];
  return [1, 8].flatMap((clients) =>
    names
      .toSorted()
      .reverse()
      .map((target) => ({ target, clients })),
  );
}

function runsOf(records: ForgeRound[], target: string, clients: number): Run[] {
  return records.flatMap(
    ({ runs }) => runs.find((run) => run.target === target && run.clients === clients) ?? [],
  );
}

function spread(numbers: number[], digits = 0) {
  const [low, middle, high] = [Math.min(...numbers), median(numbers), Math.max(...numbers)];
  return `${middle.toFixed(digits)} [${low.toFixed(digits)}..${high.toFixed(digits)}]`;
}

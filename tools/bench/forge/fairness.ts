// npm run bench -- fairness: the transfers of one account, alone and while other accounts hold slow ones.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import { keySettings } from '../../provision/keys.ts';
import { readTopology } from '../../provision/topology.ts';
import { freePort } from '../../stack/servers/ports.ts';
import { probeHttp } from '../../stack/servers/probes.ts';
import { lastLines, type Server } from '../../stack/servers/server.ts';
import { median, say, table } from '../report.ts';
import { withBenchEnvironment, type BenchEnvironment } from './bench-environment.ts';
import { closeClients, uploadSlice } from './clients.ts';
import { writeContent, type Content } from './content.ts';
import type { AttackPlan } from './hostile-clients.ts';
import { loadSource } from '../../build/load-source.ts';
import { peakMegabytes } from '../memory.ts';
import { measureLoad, type Load, type Run } from './rounds.ts';
import { prepareForge, startForge, startInfrastructure } from './servers.ts';
import { forgeTarget, type Target, type Transfers } from './targets.ts';

const TRANSFERS = new URL('./transfers.ts', import.meta.url);

const MB = 1_000_000;
const CHUNK_BYTES = 52_428_800;
/** Of the rate alone. */
const GOAL = 0.5;

/** `args`: the arguments after the name. */
export async function benchFairness(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      megabytes: { type: 'string', default: '200' },
      rounds: { type: 'string', default: '5' },
      readers: { type: 'string', default: '1000' },
      uploads: { type: 'string', default: '64' },
    },
  });
  const options = {
    megabytes: Number(values.megabytes),
    rounds: Number(values.rounds),
    readers: Number(values.readers),
    uploads: Number(values.uploads),
  };
  report(await withBenchEnvironment((bench) => measure(bench, options)), options);
}

interface Options {
  megabytes: number;
  rounds: number;
  readers: number;
  uploads: number;
}

interface FairnessRound {
  alone: Run | undefined;
  attacked: Run | undefined;
  /** Of the hostile clients. */
  counts: Record<string, number>;
  residentMb: number;
}

async function measure(bench: BenchEnvironment, { megabytes, rounds, readers, uploads }: Options) {
  say('building Forge, starting PostgreSQL, NATS and Redis');
  const [{ Transfers }, infrastructure] = await Promise.all([
    loadSource(TRANSFERS, 'bench'),
    startInfrastructure(bench),
  ]);
  const forge = await prepareForge(bench, infrastructure);
  const vaultsKeys = keySettings(readTopology(), infrastructure.keys, 'vaults');
  const transfers = await Transfers.connect(infrastructure.nats.url, vaultsKeys);
  const instance = await startForge(bench, forge);
  try {
    const target = forgeTarget('Forge', instance, transfers, infrastructure);
    const content = await writeContent(`${bench.dir}/content`, megabytes * MB);
    const load = { clients: 1, slices: [content.slice(0, megabytes * MB)] };
    const plan = await planAttack(instance, transfers, content, { readers, uploads });
    say('warming up');
    await measureLoad([target], load);
    const records: FairnessRound[] = [];
    for (let round = 0; round < rounds; round++) {
      say(`round ${round + 1} of ${rounds}`);
      records.push(await measureRound(bench, target, load, plan));
    }
    return records;
  } catch (error) {
    throw new Error(`The benchmark failed; the log of Forge:\n${lastLines(instance.plan.logPath)}`, {
      cause: error,
    });
  } finally {
    closeClients();
    await transfers.close();
  }
}

/** The ISTKs of the slow clients: readers of a file of one account, uploads of two others. */
async function planAttack(
  { url }: Server,
  transfers: Transfers,
  content: Content,
  { readers, uploads }: Pick<Options, 'readers' | 'uploads'>,
) {
  const file = transfers.newFile(100 * MB, transfers.newVault());
  await uploadSlice(`${url}/encrypt?istk=${await transfers.upload(file)}`, content.slice(0, 100 * MB));
  const vaults = [transfers.newVault(), transfers.newVault()];
  return async (): Promise<AttackPlan> => ({
    url,
    downloads: await times(readers, () => transfers.download(file, 'stream')),
    uploads: await times(uploads, (i) => transfers.upload(transfers.newFile(CHUNK_BYTES, vaults[i % 2]))),
  });
}

async function times<Made>(count: number, make: (i: number) => Promise<Made>): Promise<Made[]> {
  const made: Made[] = [];
  for (let i = 0; i < count; i++) made.push(await make(i));
  return made;
}

async function measureRound(
  bench: BenchEnvironment,
  target: Target,
  load: Load,
  newPlan: () => Promise<AttackPlan>,
): Promise<FairnessRound> {
  const [alone] = await measureLoad([target], load);
  const attack = await startAttack(bench, await newPlan());
  try {
    const [attacked] = await measureLoad([target], load);
    const counts = (await (await fetch(`${attack.url}/counts`)).json()) as Record<string, number>;
    return { alone, attacked, counts, residentMb: peakMegabytes(target.pids.server) };
  } finally {
    await attack.stop();
  }
}

async function startAttack(bench: BenchEnvironment, plan: AttackPlan) {
  const port = await freePort();
  const planPath = join(bench.dir, `attack-${port}.json`);
  writeFileSync(planPath, JSON.stringify(plan), { mode: 0o600 });
  const url = `http://127.0.0.1:${port}`;
  return bench.start({
    name: 'hostile-clients',
    url,
    command: process.execPath,
    args: [fileURLToPath(new URL('./hostile-clients.ts', import.meta.url)), String(port), planPath],
    stopSignal: 'SIGTERM',
    probe: () => probeHttp(`${url}/readyz`),
    logPath: join(bench.dir, `attack-${port}.log`),
    childrenDir: bench.childrenDir,
  });
}

type Way = 'upload' | 'download';

function report(records: FairnessRound[], { megabytes, readers, uploads }: Options) {
  const rates = (name: 'alone' | 'attacked', way: Way) =>
    records.map((record) => record[name]?.[way].rate ?? Number.NaN);
  const ratios = (way: Way) => {
    const alone = rates('alone', way);
    return rates('attacked', way).map((rate, round) => rate / (alone[round] ?? Number.NaN));
  };
  const rows = (['upload', 'download'] as const).map((way) => [
    way,
    spread(rates('alone', way), 0),
    spread(rates('attacked', way), 0),
    spread(ratios(way), 2),
    median(ratios(way)) >= GOAL ? 'reached' : 'MISSED',
  ]);
  table(
    `One client of an account, ${megabytes} MB; ${readers} readers at 1 KiB/s and ${uploads} uploads at 20 KiB/s of others`,
    ['', 'alone MB/s', 'attacked MB/s', 'ratio', `goal ${GOAL}`],
    rows,
  );
  const { counts = {} } = records.at(-1) ?? {};
  table('The slow clients, at the end of the last round', Object.keys(counts), [Object.values(counts)]);
  const peak = Math.max(...records.map((record) => record.residentMb));
  process.stdout.write(`\nForge had at most ${peak.toFixed(0)} MB resident.\n`);
}

function spread(numbers: number[], digits: number) {
  const [low, middle, high] = [Math.min(...numbers), median(numbers), Math.max(...numbers)];
  return `${middle.toFixed(digits)} [${low.toFixed(digits)}..${high.toFixed(digits)}]`;
}

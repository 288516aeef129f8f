// npm run bench -- forge: encrypted transfers, compared with a plain tus server in alternating rounds.
import { keySettings } from '../../provision/keys.ts';
import { readTopology } from '../../provision/topology.ts';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { lastLines, type Server } from '../../stack/servers/server.ts';
import { say } from '../report.ts';
import { closeClients } from './clients.ts';
import type { Content } from './content.ts';
import { createContent, loadsOf, slicesOf, warmUp } from './loads.ts';
import { measureFirstBytes } from './first-byte.ts';
import { loadSource } from '../../build/load-source.ts';
import { measureMemory } from './memory.ts';
import { withBenchEnvironment, type BenchEnvironment } from './bench-environment.ts';
import { benchForgePairs } from './pairs.ts';
import { reportForge, type FirstBytes } from './report.ts';
import { measureRounds } from './rounds.ts';
import { prepareForge, startForge, startInfrastructure, startPlain } from './servers.ts';
import { forgeTarget, plainTarget, type Target } from './targets.ts';

const TRANSFERS = new URL('./transfers.ts', import.meta.url);

const MB = 1_000_000;
/** The size of each upload during the measurement of memory: two chunks. */
const MEMORY_UPLOAD_BYTES = 60 * MB;

/** `args`: the arguments after the name. */
export async function benchForge(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      megabytes: { type: 'string', default: '500' },
      rounds: { type: 'string', default: '3' },
      uploads: { type: 'string', default: '50' },
      with: { type: 'string' },
    },
  });
  const options = {
    bytes: Number(values.megabytes) * MB,
    rounds: Number(values.rounds),
    uploads: Number(values.uploads),
  };
  if (values.with) return benchForgePairs({ ...options, checkout: resolve(values.with) });
  reportForge(await withBenchEnvironment((bench) => measure(bench, options)), options);
}

interface Options {
  bytes: number;
  rounds: number;
  uploads: number;
}

async function measure(bench: BenchEnvironment, { bytes, rounds, uploads }: Options) {
  say('building Forge, starting PostgreSQL, NATS, Redis and the plain tus server');
  const [{ Transfers }, infrastructure] = await Promise.all([
    loadSource(TRANSFERS, 'bench'),
    startInfrastructure(bench),
  ]);
  const forge = await prepareForge(bench, infrastructure);
  const transfers = await Transfers.connect(
    infrastructure.nats.url,
    keySettings(readTopology(), infrastructure.keys, 'vaults'),
  );
  const instances: Server[] = [];
  const start = async (name: string, settings: Record<string, string>) => {
    const instance = await startForge(bench, forge, settings);
    instances.push(instance);
    return forgeTarget(name, instance, transfers, infrastructure);
  };
  try {
    const plainServer = await startPlain(bench);
    const plain = plainTarget(plainServer, bench.folder('plain'));
    const durable = await start('Forge', {});
    const targets = [plain, durable, await start('Forge, OBJECTS_FSYNC=false', { OBJECTS_FSYNC: 'false' })];
    const content = await createContent(bench, bytes);
    const loads = loadsOf(content, bytes);
    say('warming up');
    await measureRounds({ bench, targets, loads: warmUp(content), plainUrl: plainServer.url, rounds: 1 });
    const records = await measureRounds({ bench, targets, loads, plainUrl: plainServer.url, rounds });
    const firstBytes = await measureAllFirstBytes([plain, durable], content);
    say(`${uploads} concurrent uploads`);
    const fresh = await start('Forge', {});
    const memory = await measureMemory(fresh, slicesOf(content, uploads, MEMORY_UPLOAD_BYTES));
    return { records, firstBytes, memory };
  } catch (error) {
    const logs = instances.map(({ plan }) => lastLines(plan.logPath));
    throw new Error(`The benchmark failed; the log of Forge:\n${logs.join('\n')}`, { cause: error });
  } finally {
    closeClients();
    await transfers.close();
  }
}

async function measureAllFirstBytes(targets: Target[], content: Content): Promise<FirstBytes[]> {
  const files = [
    { name: `${content.bytes / 1e9} GB`, slice: content.slice(0, content.bytes) },
    { name: '1 MB', slice: content.slice(0, MB) },
  ];
  const measured: FirstBytes[] = [];
  for (const target of targets) {
    say(`first bytes of Ranges: ${target.name}`);
    measured.push({ target: target.name, positions: await measureFirstBytes(target, files) });
  }
  return measured;
}

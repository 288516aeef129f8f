// Uploads and downloads in rounds: each round measures every target once, in a rotating order.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuMicroseconds, perRequest } from '../cpu.ts';
import { say } from '../report.ts';
import { assertSame, download } from './clients.ts';
import type { Slice } from './content.ts';
import { measureLimits } from './limits.ts';
import type { Target, TargetFile } from './targets.ts';

const run = promisify(execFile);

/** Transfers in one direction: MB/s, and milliseconds of processor time. */
export interface Transferred<Result = unknown> {
  rate: number;
  seconds: number;
  cpuMs: Record<string, number>;
  clientMs: number;
  results: Result[];
}

/** A slice for each client. */
export interface Load {
  clients: number;
  slices: Slice[];
}

/** A load at a target. */
export interface Run {
  target: string;
  clients: number;
  upload: Transferred;
  download: Transferred;
}

export interface ForgeRound {
  limits: Awaited<ReturnType<typeof measureLimits>>;
  runs: Run[];
}

/** @returns one record per round: `limits` and, by load and target, `upload` and `download` */
export async function measureRounds({
  bench,
  targets,
  loads,
  plainUrl,
  rounds,
}: {
  bench: { dir: string };
  targets: Target[];
  loads: Load[];
  plainUrl: string;
  rounds: number;
}): Promise<ForgeRound[]> {
  const bytes = bytesOf(loads[0]);
  const records: ForgeRound[] = [];
  for (let round = 0; round < rounds; round++) {
    const record: ForgeRound = { limits: await measureLimits(bench, plainUrl, bytes), runs: [] };
    for (const load of loads) {
      say(`round ${round + 1} of ${rounds}: ${load.clients} client(s), ${bytesOf(load) / 1e6} MB each`);
      record.runs.push(...(await measureLoad(rotated(targets, round), load)));
    }
    records.push(record);
  }
  return records;
}

function bytesOf(load: Load | undefined) {
  return load?.slices[0]?.bytes ?? 0;
}

function rotated(targets: Target[], by: number) {
  const at = by % targets.length;
  return [...targets.slice(at), ...targets.slice(0, at)];
}

/** Uploads and downloads the slices concurrently, at one target after the other. */
export async function measureLoad(targets: Target[], { clients, slices }: Load): Promise<Run[]> {
  const runs: Run[] = [];
  for (const target of targets) {
    const upload = await measured(target, slices, (slice) => target.upload(slice));
    const files = upload.results;
    const urls = await Promise.all(files.map((file) => file.url()));
    const down = await measured(target, slices, (slice, i) =>
      downloadWhole(urls[i] ?? '', slice, target.name),
    );
    await verify(target, files, slices);
    await Promise.all(files.map((file) => file.remove()));
    runs.push({ target: target.name, clients, upload, download: down });
  }
  return runs;
}

async function downloadWhole(url: string, slice: Slice, name: string) {
  const { status, bytes } = await download(url);
  if (status !== 200 || bytes !== slice.bytes) throw new Error(`${name}: ${status}, ${bytes} bytes received`);
}

/** Not part of the measurement, because hashing costs the client as much as receiving. */
export async function verify(target: Target, files: TargetFile[], slices: Slice[]) {
  for (const [i, slice] of slices.entries())
    await assertSame((await files[i]?.url()) ?? '', slice, target.name);
}

/** Runs the work for all slices concurrently, after pending writes were flushed to the disk. */
async function measured<Result>(
  target: Target,
  slices: Slice[],
  work: (slice: Slice, index: number) => Promise<Result>,
): Promise<Transferred<Result>> {
  await run('sync');
  const cpu = cpuMicroseconds(target.pids);
  const client = process.cpuUsage();
  const startedAt = performance.now();
  const results = await Promise.all(slices.map(work));
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = cpuMicroseconds(target.pids);
  const cpuMs = perRequest(cpu, used, 1_000);
  const { user, system } = process.cpuUsage(client);
  const bytes = slices.reduce((sum, slice) => sum + slice.bytes, 0);
  return { rate: bytes / 1e6 / seconds, seconds, cpuMs, clientMs: (user + system) / 1_000, results };
}

// @ts-nocheck
// Uploads and downloads in rounds: each round measures every target once, in a rotating order.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cpuMicroseconds } from '../cpu.ts';
import { say } from '../report.ts';
import { assertSame, download } from './clients.ts';
import { measureLimits } from './limits.ts';
import type { Target } from './targets.ts';

const run = promisify(execFile);

type Run = { rate: number; seconds: number; cpuMs: Record<string, number>; clientMs: number };

/** @returns one record per round: `limits` and, by load and target, `upload` and `download` */
export async function measureRounds({
  bench,
  targets,
  loads,
  plainUrl,
  rounds,
}: {
  bench: object;
  targets: Target[];
  loads: { clients: number; slices: object[] }[];
  plainUrl: string;
  rounds: number;
}) {
  const bytes = loads[0].slices[0].bytes;
  const records = [];
  for (let round = 0; round < rounds; round++) {
    const record = { limits: await measureLimits(bench, plainUrl, bytes), runs: [] };
    for (const load of loads) {
      say(
        `round ${round + 1} of ${rounds}: ${load.clients} client(s), ${load.slices[0].bytes / 1e6} MB each`,
      );
      record.runs.push(...(await measureLoad(rotated(targets, round), load)));
    }
    records.push(record);
  }
  return records;
}

function rotated(targets, by) {
  const at = by % targets.length;
  return [...targets.slice(at), ...targets.slice(0, at)];
}

/** Uploads and downloads the slices concurrently, at one target after the other. */
export async function measureLoad(targets, { clients, slices }) {
  const runs = [];
  for (const target of targets) {
    const upload = await measured(target, slices, (slice) => target.upload(slice));
    const files = upload.results;
    const urls = await Promise.all(files.map((file) => target.urlOf(file)));
    const down = await measured(target, slices, (slice, i) => downloadWhole(urls[i], slice, target.name));
    await verify(target, files, slices);
    await Promise.all(files.map((file) => target.remove(file)));
    runs.push({ target: target.name, clients, upload, download: down });
  }
  return runs;
}

async function downloadWhole(url, slice, name) {
  const { status, bytes } = await download(url);
  if (status !== 200 || bytes !== slice.bytes) throw new Error(`${name}: ${status}, ${bytes} bytes received`);
}

/** Not part of the measurement, because hashing costs the client as much as receiving. */
export async function verify(target, files, slices) {
  for (const [i, file] of files.entries()) await assertSame(await target.urlOf(file), slices[i], target.name);
}

/** Runs the work for all slices concurrently, after pending writes were flushed to the disk. */
async function measured(target, slices, work) {
  await run('sync');
  const cpu = cpuMicroseconds(target.pids);
  const client = process.cpuUsage();
  const startedAt = performance.now();
  const results = await Promise.all(slices.map(work));
  const seconds = (performance.now() - startedAt) / 1_000;
  const used = cpuMicroseconds(target.pids);
  const cpuMs = Object.fromEntries(Object.keys(used).map((name) => [name, (used[name] - cpu[name]) / 1_000]));
  const { user, system } = process.cpuUsage(client);
  const bytes = slices.reduce((sum, slice) => sum + slice.bytes, 0);
  return { rate: bytes / 1e6 / seconds, seconds, cpuMs, clientMs: (user + system) / 1_000, results };
}

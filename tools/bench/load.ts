// Closed-loop load: each of the `concurrency` callers sends a request after the answer to its previous one.
import { Agent, request, type OutgoingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** Times are milliseconds. */
export interface Measured<Result> {
  count: number;
  errors: number;
  perSecond: number;
  p50: number;
  p99: number;
  mean: number;
  /** Of each call. */
  times: Float64Array;
  results: (Result | Error)[];
}

/** Runs `task(i)` for i in 0..count-1 and measures each. */
export async function load<Result>({
  count,
  concurrency,
  task,
}: {
  count: number;
  concurrency: number;
  task: (i: number) => Promise<Result>;
}): Promise<Measured<Result>> {
  const times = new Float64Array(count);
  const results = new Array<Result | Error>(count);
  let next = 0;
  let errors = 0;
  const caller = async () => {
    for (let i = next++; i < count; i = next++) {
      const startedAt = performance.now();
      results[i] = await task(i).catch((error: Error) => {
        errors++;
        return error;
      });
      times[i] = performance.now() - startedAt;
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: concurrency }, caller));
  const seconds = (performance.now() - startedAt) / 1_000;
  return { count, errors, perSecond: count / seconds, ...percentiles(times), times, results };
}

/** In milliseconds. */
export interface OpenLoad {
  count: number;
  errors: number;
  p50: number;
  p99: number;
  max: number;
  mean: number;
}

/**
 * Open-loop load: starts `task` at a fixed rate, whether the calls before have ended or not, and measures each from the
 * moment when it was due. So a stalled server is seen in all calls that it delays.
 */
export async function openLoad({
  perSecond,
  seconds,
  task,
}: {
  perSecond: number;
  seconds: number;
  task: () => Promise<unknown>;
}): Promise<OpenLoad> {
  const count = perSecond * seconds;
  const times = new Float64Array(count);
  let errors = 0;
  const startedAt = performance.now();
  const call = async (i: number) => {
    const dueAt = startedAt + (i * 1_000) / perSecond;
    await delay(Math.max(0, dueAt - performance.now()));
    await task().catch(() => errors++);
    times[i] = performance.now() - dueAt;
  };
  await Promise.all(Array.from({ length: count }, (_, i) => call(i)));
  return { count, errors, max: Math.max(...times), ...percentiles(times) };
}

/** Percentiles and mean, in the unit of the times. */
export function percentiles(times: Float64Array) {
  const sorted = times.toSorted();
  const at = (fraction: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * fraction))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), mean: sorted.reduce((sum, time) => sum + time, 0) / sorted.length };
}

export interface Answer {
  status: number;
  text: string;
}

export interface HttpClient {
  send: (method: string, path: string, headers: OutgoingHttpHeaders, body?: string) => Promise<Answer>;
  close: () => void;
}

/** A keep-alive HTTP client that returns only the status and the text of the body. */
export function httpClient(origin: string, concurrency: number): HttpClient {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const { hostname, port } = new URL(origin);
  const send: HttpClient['send'] = (method, path, headers, body) =>
    new Promise((resolve, reject) => {
      const sent = request({ agent, hostname, port, method, path, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
        );
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  return { send, close: () => agent.destroy() };
}

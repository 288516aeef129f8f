import { setTimeout as delay } from 'node:timers/promises';
import { httpClient, type HttpClient } from '../bench/load.ts';

const CALLERS_MAX = 512;
/** One Spark of so many is read at the end alone: it must outlive all that happens. */
const KEPT_OF = 20;
/** A call without an answer counts as failed after this time. */
const ANSWER_MS = 20_000;
/** HAProxy may find that no copy is ready on a machine that stands still; its answer says that none got the call. */
const NO_COPY = 'No server is available';
const COPY_MS = 60_000;

/** A call that failed. Times are milliseconds; `at` is that of its start, as of `performance.now()`. */
export interface Failure {
  readonly at: number;
  readonly tookMs: number;
  readonly reason: string;
}

/** What became of the calls. */
export interface Outcome {
  readonly calls: number;
  readonly failures: readonly Failure[];
}

/**
 * Open-loop traffic without repetitions: half of the calls create a Spark, half read one that was created before, which burns it, and
 * compare it.
 */
export class Traffic {
  readonly #client: HttpClient;
  readonly #key: string;
  readonly #perSecond: number;
  /** Created and not yet read, with their payloads: for the next reads, and for the end. */
  readonly #unread: [id: string, payload: string][] = [];
  readonly #kept: [id: string, payload: string][] = [];
  readonly #running = new Set<Promise<void>>();
  readonly failures: Failure[] = [];
  calls = 0;
  creates = 0;
  readonly #end = new AbortController();
  readonly #loop: Promise<void>;

  constructor(origin: string, apiKey: string, perSecond: number) {
    this.#client = httpClient(origin, CALLERS_MAX);
    this.#key = apiKey;
    this.#perSecond = perSecond;
    this.#loop = this.#run();
  }

  /** Calls without an answer so far. */
  get running(): number {
    return this.#running.size;
  }

  /** Ends the traffic and waits for its calls. */
  async stop(): Promise<void> {
    this.#end.abort();
    await this.#loop;
    await Promise.all(this.#running);
  }

  /** Reads what is left, each of which was acknowledged. Returns how many of how many were lost. */
  async readRest(): Promise<{ left: number; lost: number }> {
    const left = [...this.#kept, ...this.#unread];
    let lost = 0;
    for (const [id, payload] of left)
      await this.#readOnceReached(id, payload).catch((error: Error) => {
        lost++;
        process.stdout.write(`  lost: ${error.message}\n`);
      });
    this.#client.close();
    return { left: left.length, lost };
  }

  /** Reads again while no copy was reached, which burns nothing. */
  async #readOnceReached(id: string, payload: string): Promise<void> {
    const until = performance.now() + COPY_MS;
    for (;;)
      try {
        return await this.#read(id, payload);
      } catch (error) {
        if (!(error as Error).message.includes(NO_COPY) || performance.now() > until) throw error;
        await delay(200);
      }
  }

  /** The calls that ran during some work. */
  async during(work: () => Promise<void>): Promise<Outcome> {
    const [calls, failed] = [this.calls, this.failures.length];
    await work();
    await Promise.all(this.#running); // those that began during it
    return { calls: this.calls - calls, failures: this.failures.slice(failed) };
  }

  async #run() {
    const begunAt = performance.now();
    for (let i = 0; !this.#end.signal.aborted; i++) {
      await delay(Math.max(0, begunAt + (i * 1_000) / this.#perSecond - performance.now()));
      const call = this.#call(i).finally(() => this.#running.delete(call));
      this.#running.add(call);
    }
  }

  async #call(i: number) {
    this.calls++;
    const at = performance.now();
    try {
      const spark = i % 2 ? this.#unread.shift() : undefined;
      await (spark ? this.#read(...spark) : this.#create(`payload ${i}`));
    } catch (error) {
      this.failures.push({ at, tookMs: performance.now() - at, reason: (error as Error).message });
    }
  }

  async #create(payload: string) {
    const isKept = this.creates++ % KEPT_OF === 0;
    const text = await this.#send(201, 'POST', '/v1/sparks', JSON.stringify({ payload }));
    const { data } = JSON.parse(text) as { data: { spark_id: string } };
    (isKept ? this.#kept : this.#unread).push([data.spark_id, payload]);
  }

  async #read(id: string, payload: string) {
    const text = await this.#send(200, 'GET', `/v1/sparks/${id}`);
    const { data } = JSON.parse(text) as { data: { payload: string } };
    if (data.payload !== payload) throw new Error(`read ${data.payload} instead of ${payload}`);
  }

  async #send(expected: number, method: string, path: string, body?: string): Promise<string> {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const headers = { 'x-api-key': this.#key, 'content-type': 'application/json', ...length };
    const late = delay(ANSWER_MS, undefined, { ref: false }).then(() => {
      throw new Error(`${method}: no answer`);
    });
    const { status, text } = await Promise.race([this.#client.send(method, path, headers, body), late]);
    if (status !== expected) throw new Error(`${method} ${status} ${text.slice(0, 200)}`);
    return text;
  }
}

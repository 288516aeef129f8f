import { setTimeout as delay } from 'node:timers/promises';
import type { DrillStack } from './drill-stack.ts';
import { runInShell, type Shell } from './shell.ts';

/** The answer to a call of the API, as far as the drill reads it. */
interface Answer {
  status: number;
  data: Record<string, unknown>;
  code: string | undefined;
}

const POLL_MS = 250;
const LOGGED_SECONDS = 60;

/** An account of the stack, which uses the API and the command line. */
export class Customer {
  readonly #stack: DrillStack;
  readonly #shell: Shell;

  constructor(stack: DrillStack, shell: Shell) {
    this.#stack = stack;
    this.#shell = shell;
  }

  /** Runs commands in bash, with `vaultsvc` logged in. */
  async run(commands: string): Promise<string> {
    return (await runInShell(this.#shell, commands)).trim();
  }

  async call(method: string, path: string, body?: object): Promise<Answer> {
    const response = await fetch(`${this.#stack.apiOrigin}${path}`, {
      method,
      headers: { 'X-API-Key': this.#stack.account.api_key, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as {
      data?: Answer['data'];
      error?: { code: string };
    };
    return { status: response.status, data: data ?? {}, code: error?.code };
  }

  /** @returns the id of a new Spark */
  async createSpark(payload: string): Promise<string> {
    const { status, data, code } = await this.call('POST', '/v1/sparks', { payload });
    if (status !== 201) throw new Error(`A Spark was not created: ${status} ${code}`);
    return String(data['spark_id']);
  }

  /** @returns the payload, or the code of the error */
  async readSpark(id: string): Promise<string> {
    const { data, code } = await this.call('GET', `/v1/sparks/${id}`);
    return code ?? String(data['payload']);
  }

  /**
   * Waits until the public log has the newest of at least so many audit entries of the account.
   * @returns the number of its entries
   */
  async untilLogged(entriesMin: number): Promise<number> {
    const until = Date.now() + LOGGED_SECONDS * 1_000;
    for (;;) {
      const { data } = await this.call('GET', '/v1/audit-logs/integrity');
      const { state, entries, logged_entries: logged } = data as Record<string, number | string>;
      if (state === 'verified' && logged === entries && Number(entries) >= entriesMin) return Number(entries);
      if (Date.now() > until)
        throw new Error(
          `${entriesMin} entries are not in the public log after ${LOGGED_SECONDS} s: ${JSON.stringify(data)}`,
        );
      await delay(POLL_MS);
    }
  }

  /** The key of the transparency log, which an auditor keeps. */
  async logKey(): Promise<string> {
    const { data } = await this.call('GET', '/v1/audit-logs/integrity');
    return (data['keys'] as string[])[0] ?? '';
  }

  /** The signed head of the transparency log as anybody can fetch it. */
  async checkpoint(): Promise<string> {
    const response = await fetch(`${this.#stack.apiOrigin}/v1/audit-logs/log/checkpoint`);
    if (!response.ok) throw new Error(`The checkpoint was answered with ${response.status}`);
    return response.text();
  }
}

/** The number of leaves in the second line of a checkpoint (C2SP tlog-checkpoint). */
export const leavesOf = (checkpoint: string) => Number(checkpoint.split('\n')[1]);

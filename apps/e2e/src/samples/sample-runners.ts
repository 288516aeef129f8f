import * as crypto from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { createClient } from '@vaultsvc/client';
import { END_OF_ANSWER, Interpreter } from './interpreter.js';

export type Environment = Readonly<Record<string, string>>;

/** The output of a sample, and the status that it received. */
export interface Outcome {
  readonly status: number;
  readonly printed: unknown;
}

/** Runs samples of one language, one at a time. */
export interface SampleRunner {
  run(source: string, environment: Environment): Promise<Outcome>;
  stop(): void;
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Pastes samples into one bash, in which curl also prints the status. */
export class ShellRunner implements SampleRunner {
  readonly #bash = new Interpreter('bash', ['--norc', '-s']);
  #isPrepared = false;

  async run(source: string, environment: Environment): Promise<Outcome> {
    const exports = Object.entries(environment).map(([name, value]) => `export ${name}=${quoted(value)}`);
    const wrapper = `curl() { command curl "$@" -w '\\n%{http_code}\\n'; }`;
    const prepared = this.#isPrepared ? [] : [wrapper];
    this.#isPrepared = true;
    const end = `echo ${quoted(END_OF_ANSWER)}`;
    const text = await this.#bash.ask([...prepared, ...exports, source, end, ''].join('\n'));
    const [, body = '', status = ''] = /^([^]*?)\n?(\d{3})$/.exec(text) ?? [];
    if (!status) throw new Error(text);
    return { status: Number(status), printed: parsed(body.trim()) };
  }

  stop(): void {
    this.#bash.stop();
  }
}

/** JSON as its value, other text as it is. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Runs samples in one Python. */
export class PythonRunner implements SampleRunner {
  readonly #python = new Interpreter('python3', [
    fileURLToPath(new URL('./sample-runner.py', import.meta.url)),
  ]);

  async run(source: string, environment: Environment): Promise<Outcome> {
    const text = await this.#python.ask(`${JSON.stringify({ source, environment, end: END_OF_ANSWER })}\n`);
    const { error, ...outcome } = JSON.parse(text) as Outcome & { readonly error?: string };
    if (error !== undefined) throw new Error(error);
    return typeof outcome.printed === 'string' ? { ...outcome, printed: parsed(outcome.printed) } : outcome;
  }

  stop(): void {
    this.#python.stop();
  }
}

const AsyncFunction = (async () => undefined).constructor as FunctionConstructor;

/** Runs samples in this process, with the client of this repository. */
export class TypeScriptRunner implements SampleRunner {
  async run(source: string, environment: Environment): Promise<Outcome> {
    const isImport = (line: string) => line.startsWith('import ');
    const { code } = await transform(
      source
        .split('\n')
        .filter((line) => !isImport(line))
        .join('\n'),
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, configFile: false, swcrc: false },
    );
    const printed: unknown[] = [];
    const statuses: number[] = [];
    const recordingFetch: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      statuses.push(response.status);
      return response;
    };
    const scope = {
      createClient: (options: Parameters<typeof createClient>[0]) =>
        createClient({ ...options, fetch: recordingFetch }),
      createHmac: crypto.createHmac,
      fetch: recordingFetch,
      process: { env: environment },
      console: { log: (value: unknown) => printed.push(value) },
    };
    const run = new AsyncFunction(...Object.keys(scope), code) as (...values: unknown[]) => Promise<void>;
    await run(...Object.values(scope));
    const [last] = printed.slice(-1);
    return { status: Number(statuses.at(-1)), printed: typeof last === 'string' ? parsed(last) : last };
  }

  stop(): void {
    // It has no process.
  }
}

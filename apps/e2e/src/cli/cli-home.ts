import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCli } from '../../../../tools/build/cli.ts';
import { oldestNode } from '../../../../tools/node/oldest-node.ts';

/** The output of a command and its exit code; null if a signal ended it. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command that runs. */
export interface RunningCli {
  readonly child: ChildProcessWithoutNullStreams;
  readonly result: Promise<CliResult>;
  /** The standard error so far. */
  stderr(): string;
}

/** Options of a run. */
export interface CliOptions {
  readonly input?: string | Buffer;
  readonly variables?: Readonly<Record<string, string>>;
}

/** A user of the CLI with a home folder of their own. The CLI is built from this working copy, as it ships. */
export class CliHome {
  private constructor(
    readonly folder: string,
    private readonly program: string,
  ) {}

  static async make(): Promise<CliHome> {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-cli-'));
    // Outside of the home, in which tests look for secrets.
    const program = `${folder}.mjs`;
    await buildCli(program);
    return new CliHome(folder, program);
  }

  /** A path in the home folder. */
  path(...names: string[]): string {
    return join(this.folder, ...names);
  }

  /** Runs a command to its end. */
  run(words: readonly string[], options: CliOptions = {}): Promise<CliResult> {
    return this.start(words, options).result;
  }

  /** Runs a command that must succeed, and returns its output. */
  async succeed(words: readonly string[], options: CliOptions = {}): Promise<string> {
    const { code, stdout, stderr } = await this.run(words, options);
    if (code !== 0) throw new Error(`vaultsvc ${words.join(' ')} exits with ${code}: ${stderr}`);
    return stdout;
  }

  /** Runs a command with --json, which must succeed. */
  async json<T = Record<string, unknown>>(words: readonly string[], options: CliOptions = {}): Promise<T> {
    return JSON.parse(await this.succeed([...words, '--json'], options)) as T;
  }

  start(words: readonly string[], { input = '', variables = {} }: CliOptions = {}): RunningCli {
    const env = { PATH: process.env.PATH, HOME: this.folder, ...variables };
    // A session of its own has no terminal, whatever terminal the test runs on.
    const options = { env, cwd: this.folder, detached: true };
    const child = spawn(oldestNode(), [this.program, ...words], options);
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    // A command that fails early does not read its input.
    child.stdin.on('error', () => undefined).end(input);
    const result = new Promise<CliResult>((resolve) =>
      child.once('close', (code) => resolve({ code, stdout, stderr })),
    );
    return { child, result, stderr: () => stderr };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.program, { force: true });
  }
}

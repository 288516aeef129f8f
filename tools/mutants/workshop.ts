import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';
import { startServers, stopServers } from '../test/test-run.ts';
import { plant, type Site } from './site.ts';

/** What became of a mutant. `stillborn`: its specs did not even load, so that nothing was asked of them. */
export type Verdict = 'killed' | 'survived' | 'timeout' | 'stillborn';

/** Specs that take longer hang by the mutant. */
const TRIAL_MS = 600_000;

/** After so many trials the servers start anew, without the databases that specs left. */
const TRIALS_PER_SERVERS = 25;

/** A copy of the repository in which mutants are planted: a run that is killed leaves no mutant in the sources. */
export class Workshop {
  readonly #folder: string;
  #child: ChildProcess | undefined;
  #servers: Record<string, string> = {};
  #trials = 0;

  /** Copies the committed state; packages are hard links. */
  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'vaultsvc-mutants-'));
    execFileSync('git', ['clone', '-q', '--local', '--no-hardlinks', workspace, join(this.#folder, 'tree')]);
    execFileSync('cp', ['-al', join(workspace, 'node_modules'), this.#path('node_modules')]);
    const cache = join(workspace, '.cache');
    if (existsSync(cache)) cpSync(cache, this.#path('.cache'), { recursive: true });
  }

  /** The root of the copy. */
  get folder(): string {
    return this.#path('');
  }

  /** Plants one mutant, runs the specs until the first failure, and takes it out again. */
  async try(site: Site, specs: readonly string[]): Promise<Verdict> {
    const path = this.#path(site.path);
    const text = readFileSync(path, 'utf8');
    writeFileSync(path, plant(text, site));
    try {
      return await this.run(specs);
    } finally {
      writeFileSync(path, text);
    }
  }

  /** Runs specs of the copy, in this order, until a test fails. */
  async run(specs: readonly string[]): Promise<Verdict> {
    if (this.#trials++ % TRIALS_PER_SERVERS === 0) await this.#renewServers();
    const { code, output } = await this.#jest([
      ...specs,
      '--selectProjects=spec',
      '--testSequencer=<rootDir>/tools/mutants/asked-order.ts',
      '--env=<rootDir>/tools/mutants/first-failure.ts',
      '--runInBand',
      '--bail',
      '--forceExit',
    ]);
    if (code === undefined) return 'timeout';
    if (code === 0) return 'survived';
    return /^Tests:.*\b\d+ failed/m.test(output) ? 'killed' : 'stillborn';
  }

  /** @returns no code if it took too long */
  async #jest(args: readonly string[]): Promise<{ code?: number | null; output: string }> {
    const child = spawn(process.execPath, ['tools/run.cjs', 'node_modules/.bin/jest', ...args], {
      cwd: this.#path(''),
      env: { ...process.env, ...this.#servers, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#child = child;
    let output = '';
    child.stderr.on('data', (data) => (output = (output + data).slice(-200_000)));
    let isLate = false;
    const timer = setTimeout(() => ((isLate = true), this.#kill()), TRIAL_MS);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    clearTimeout(timer);
    return isLate ? { output } : { code, output };
  }

  async #renewServers() {
    await stopServers(this.#servers);
    this.#servers = await startServers();
  }

  async close() {
    this.#kill();
    await stopServers(this.#servers);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #kill() {
    try {
      if (this.#child?.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  #path(name: string) {
    return join(this.#folder, 'tree', name);
  }
}

import { spawn, execFileSync, type ChildProcess } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { workspace } from '../stack/settings.ts';
import { plant, type Site } from './site.ts';

/** What became of a mutant. `stillborn`: its specs did not even load, so that nothing was asked of them. */
export type Verdict = 'killed' | 'survived' | 'timeout' | 'stillborn';

/** A spec that takes longer hangs by the mutant. */
const TRIAL_MS = 240_000;

/** A copy of the repository in which mutants are planted: a run that is killed leaves no mutant in the sources. */
export class Workshop {
  readonly #folder: string;
  #child: ChildProcess | undefined;

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

  /** Runs specs of the copy. */
  async run(specs: readonly string[]): Promise<Verdict> {
    const args = [
      'tools/run.cjs',
      'node_modules/.bin/jest',
      ...specs,
      '--selectProjects',
      'spec',
      '--bail',
      '--forceExit',
    ];
    const child = spawn(process.execPath, args, {
      cwd: this.#path(''),
      env: { ...process.env, NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    this.#child = child;
    let output = '';
    child.stderr.on('data', (data) => (output = (output + data).slice(-200_000)));
    let isLate = false;
    const timer = setTimeout(() => ((isLate = true), this.#kill()), TRIAL_MS * Math.max(1, specs.length));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    clearTimeout(timer);
    if (isLate) return 'timeout';
    if (code === 0) return 'survived';
    return /^Tests:.*\b\d+ failed/m.test(output) ? 'killed' : 'stillborn';
  }

  close() {
    this.#kill();
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

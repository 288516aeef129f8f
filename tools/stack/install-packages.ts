import { spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { areInstallFilesCurrent, installFilesProgram } from '../build/install-files.ts';
import { say } from './progress.ts';
import { programPath } from './services.ts';
import type { Settings } from './settings.ts';

/**
 * The packages that the gateway serves below `/docs/install`. They are made once the stack is ready, because their declarations
 * take as long as the build of all services; the gateway lets requests for them wait.
 */
export class InstallPackages {
  readonly #folder: string;
  #child: ChildProcess | undefined;

  /** Removes packages of earlier sources, before a gateway could read them. */
  constructor(settings: Settings) {
    this.#folder = join(dirname(programPath(settings, 'gateway', 'main')), 'install');
    if (!areInstallFilesCurrent(this.#folder)) rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Makes what is missing, in a process that yields to the services. */
  make() {
    if (areInstallFilesCurrent(this.#folder)) return;
    const args = ['-n', '10', process.execPath, installFilesProgram, this.#folder];
    const child = spawn('nice', args, { stdio: ['ignore', 'ignore', 'pipe'] });
    let errors = '';
    child.stderr.on('data', (data) => (errors += data));
    child.on('error', (error) => (errors += error.message));
    child.on('close', (code) => {
      if (code !== 0 && !child.killed)
        say(`  the packages of /docs/install cannot be made:\n${errors.trim()}`);
    });
    this.#child = child;
  }

  stop() {
    this.#child?.kill();
  }
}

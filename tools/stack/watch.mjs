import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { say } from './progress.mjs';
import { workspace } from './settings.mjs';

/** @typedef {import('./servers/server.mjs').Server} Server */

/** An editor writes a file in several steps, and a checkout writes many files. */
const quietMs = 50;

/** A developer does not wait for requests in flight. */
const stopLimitMs = 500;

/**
 * Calls back after edits of any app or lib.
 * @param {() => Promise<void>} onEdit never runs twice at once
 */
export function watchSources(onEdit) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let turn = Promise.resolve();
  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(() => (turn = turn.then(onEdit)), quietMs);
  };
  for (const dir of sourceFolders()) {
    watch(dir, { recursive: true }, (_, name) => {
      if (name?.endsWith('.ts') && !name.endsWith('.spec.ts')) edited();
    });
  }
}

function sourceFolders() {
  const projects = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(workspace, kind)).map((name) => join(workspace, kind, name, 'src')),
  );
  return projects.filter((dir) => existsSync(dir));
}

/** Two cores start two services as fast as they can; eight at once would all be late. */
const restartsAtOnce = 2;

/**
 * Reloads what an edit changed. An edit of a lib concerns all services: the first in the list are live again first.
 * @param {readonly WatchedService[]} services
 */
export async function reloadAll(services) {
  const waiting = [...services];
  const work = async () => {
    for (let service = waiting.shift(); service; service = waiting.shift()) await service.reload();
  };
  await Promise.all(Array.from({ length: restartsAtOnce }, work));
}

/** One service whose programs are rebuilt at every edit. */
export class WatchedService {
  /** @type {Record<string, string>} */
  #digests = {};

  /**
   * @param {Server} server that runs
   * @param {object} how
   * @param {() => Promise<void>} how.build its programs again
   * @param {(program: string) => string} how.pathOf a program
   * @param {() => Promise<unknown>} how.migrate its schema
   * @param {() => void} how.onChange its pid is another now
   */
  constructor(server, how) {
    this.server = server;
    this.how = how;
    this.#changedPrograms();
  }

  /** Builds, and restarts the service when its program is another one. */
  async reload() {
    try {
      await this.how.build();
      const changed = this.#changedPrograms();
      if (changed.includes('migrate')) await this.how.migrate();
      if (changed.includes('main')) await this.#restart();
    } catch (error) {
      say(`  ${this.server.name}: ${/** @type {Error} */ (error).message}`);
    }
  }

  /** @returns {string[]} the programs that differ from the last look */
  #changedPrograms() {
    const before = this.#digests;
    this.#digests = Object.fromEntries(
      ['main', 'migrate'].map((program) => [program, digestOf(this.how.pathOf(program))]),
    );
    return Object.keys(this.#digests).filter((program) => this.#digests[program] !== before[program]);
  }

  async #restart() {
    const began = Date.now();
    await this.server.kill('SIGTERM', stopLimitMs);
    const started = this.server.start();
    this.how.onChange();
    await started;
    say(`  ${this.server.name} restarted (${Date.now() - began} ms)`);
  }
}

/** @param {string} path */
function digestOf(path) {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}

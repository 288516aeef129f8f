import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';
import { say } from './progress.ts';
import type { Server } from './servers/server.ts';
import { workspace } from './settings.ts';

/** Debounces edits: an editor writes a file in several steps, and a checkout writes many files. */
const quietMs = 50;

/** Short, so that a developer does not wait for requests in flight. */
const stopLimitMs = 500;

/**
 * Calls back after edits of any app or lib.
 * @param onEdit never runs concurrently
 */
export function watchSources(onEdit: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  let running = Promise.resolve();
  const edited = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void (running = running.then(onEdit)), quietMs);
  };
  for (const dir of sourceFolders()) {
    watch(dir, { recursive: true }, (_, name) => {
      if (/\.(tsx?|css)$/.test(name ?? '') && !name?.endsWith('.spec.ts')) edited();
    });
  }
}

function sourceFolders() {
  const projects = ['apps', 'libs'].flatMap((kind) =>
    readdirSync(join(workspace, kind)).map((name) => join(workspace, kind, name, 'src')),
  );
  return projects.filter((dir) => existsSync(dir));
}

/** Starts are bound by the processor: with eight at once, all services would be back late. */
const restartsAtOnce = 2;

/** Reloads the services that an edit changed, in the order of the list. */
export async function reloadAll(services: readonly WatchedService[]) {
  const waiting = [...services];
  const work = async () => {
    for (let service = waiting.shift(); service; service = waiting.shift()) await service.reload();
  };
  await Promise.all(Array.from({ length: restartsAtOnce }, work));
}

/** One service whose programs are rebuilt after every edit. */
export class WatchedService {
  #digests: Record<string, string> = {};

  readonly server: Server;
  readonly actions: {
    build: () => Promise<void>;
    pathOf: (program: string) => string;
    migrate: () => Promise<unknown>;
    onChange: () => void;
  };

  /** @param server already running */
  constructor(
    server: Server,
    actions: {
      build: () => Promise<void>;
      pathOf: (program: string) => string;
      migrate: () => Promise<unknown>;
      onChange: () => void;
    },
  ) {
    this.server = server;
    this.actions = actions;
    this.#changedPrograms();
  }

  /** Builds, and restarts the service if its program changed. */
  async reload() {
    try {
      await this.actions.build();
      const changed = this.#changedPrograms();
      if (changed.includes('migrate')) await this.actions.migrate();
      if (changed.includes('main') || changed.includes('web')) await this.#restart();
    } catch (error) {
      say(`  ${this.server.name}: ${(error as Error).message}`);
    }
  }

  /** @returns the programs that changed since the last call; `web` is the application that the gateway serves */
  #changedPrograms(): string[] {
    const before = this.#digests;
    this.#digests = Object.fromEntries(
      ['main', 'migrate', 'web'].map((program) => [program, digestOf(this.actions.pathOf(program))]),
    );
    return Object.keys(this.#digests).filter((program) => this.#digests[program] !== before[program]);
  }

  async #restart() {
    const startedAt = Date.now();
    await this.server.kill('SIGTERM', stopLimitMs);
    const started = this.server.start();
    this.actions.onChange();
    await started;
    say(`  ${this.server.name} restarted (${Date.now() - startedAt} ms)`);
  }
}

function digestOf(path: string) {
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
}

import { seconds } from './progress.ts';
import type { Server } from './servers/server.ts';

/** The first restart is immediate; a program that keeps exiting is restarted every 2 s. */
const delaysMs = [0, 250, 500, 1000, 2000];

/** A program that ran this long counts as recovered. */
const healthyMs = 10_000;

/** From this exit in a row on, the reports name the log. */
const crashLoopExits = 3;

/** Restarts programs that exit without a request to stop, and reports when they are back. */
export class Supervisor {
  #isStopping = false;
  #timers: Set<NodeJS.Timeout> = new Set();

  readonly onEvent;
  readonly onChange;

  /** @param listener `onChange`: after the pid of a program changed */
  constructor({ onEvent, onChange }: { onEvent: (text: string) => void; onChange: () => void }) {
    this.onEvent = onEvent;
    this.onChange = onChange;
  }

  /** @param server already running */
  watch(server: Server) {
    let exits = 0;
    let goneAt = 0;
    server.on('exit', (reason, wasRequested) => {
      if (this.#isStopping || wasRequested) return;
      exits = server.lifetimeMs > healthyMs ? 1 : exits + 1;
      // Of a crash loop, the time since its first exit.
      if (exits === 1) goneAt = Date.now();
      this.onEvent(exitReport(server, reason, exits));
      const delayMs = delaysMs[Math.min(exits, delaysMs.length) - 1];
      this.#later(delayMs ?? 0, () => this.#restart(server, goneAt));
    });
  }

  /** @param goneAt when it exited */
  #restart(server: Server, goneAt: number) {
    server.launch();
    this.onChange();
    const { pid } = server;
    server.whenReady().then(
      () => {
        // Another process may have answered the probe of one that has ended.
        if (!this.#isStopping && server.pid === pid)
          this.onEvent(`${server.name} is back after ${seconds(goneAt)}`);
      },
      (error) => {
        // The end of this process was reported already.
        if (!this.#isStopping && server.pid === pid && pid > 0) this.onEvent(error.message);
      },
    );
  }

  #later(delayMs: number, work: () => void) {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, delayMs);
    this.#timers.add(timer);
  }

  /** Ends the supervision: no program is restarted any more. */
  stop() {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** @param exits in a row */
function exitReport({ name, plan }: Server, reason: string, exits: number) {
  if (exits < crashLoopExits) return `${name} ended (${reason}), restarting …`;
  return `${name} ended ${exits} times in a row (${reason}), restarting … Its log: ${plan.logPath}`;
}

import { seconds } from './progress.mjs';

/** @typedef {import('./servers/server.mjs').Server} Server */

/** The first restart is immediate; a program that keeps exiting is restarted every 2 s. */
const delaysMs = [0, 250, 500, 1000, 2000];

/** A program that ran this long counts as recovered. */
const healthyMs = 10_000;

/** From this exit in a row on, the reports name the log. */
const crashLoopExits = 3;

/**
 * Restarts programs that exit without a request to stop, and reports when they are back.
 */
export class Supervisor {
  #isStopping = false;
  /** @type {Set<NodeJS.Timeout>} */
  #timers = new Set();

  /** @param {{ onEvent: (text: string) => void, onChange: () => void }} listener `onChange`: after the pid of a program changed */
  constructor({ onEvent, onChange }) {
    this.onEvent = onEvent;
    this.onChange = onChange;
  }

  /** @param {Server} server already running */
  watch(server) {
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

  /**
   * @param {Server} server
   * @param {number} goneAt when it exited
   */
  #restart(server, goneAt) {
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

  /**
   * @param {number} delayMs
   * @param {() => void} work
   */
  #later(delayMs, work) {
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

/**
 * @param {Server} server
 * @param {string} reason
 * @param {number} exits in a row
 */
function exitReport({ name, plan }, reason, exits) {
  if (exits < crashLoopExits) return `${name} ended (${reason}), restarting …`;
  return `${name} ended ${exits} times in a row (${reason}), restarting … Its log: ${plan.logPath}`;
}

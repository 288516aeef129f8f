/** @typedef {import('./servers/server.mjs').Server} Server */

/** The first restart is immediate; a program that keeps exiting is restarted every 2 s. */
const delaysMs = [0, 250, 500, 1000, 2000];

/** A program that ran this long counts as recovered. */
const healthyMs = 10_000;

/**
 * Restarts programs that exit without a request to stop.
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
    let failures = 0;
    server.on('exit', (reason, wasRequested) => {
      if (this.#isStopping || wasRequested) return;
      failures = server.lifetimeMs > healthyMs ? 0 : failures;
      const delayMs = delaysMs[Math.min(failures++, delaysMs.length - 1)];
      this.onEvent(`${server.name} ended (${reason}); restarting`);
      this.#later(delayMs ?? 0, () => this.#restart(server));
    });
  }

  /** @param {Server} server */
  #restart(server) {
    server.launch();
    this.onChange();
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

/** @typedef {import('./servers/server.mjs').Server} Server */

/** The first restart is immediate; a program that keeps ending is tried every 2 s. */
const delaysMs = [0, 250, 500, 1000, 2000];

/** A program that ran this long has recovered from whatever ended it. */
const healthyMs = 10_000;

/**
 * Restarts what ends without being asked to.
 */
export class Supervisor {
  #stopping = false;
  /** @type {Set<NodeJS.Timeout>} */
  #timers = new Set();

  /** @param {{ onEvent: (text: string) => void, onChange: () => void }} listener `onChange`: a pid is another now */
  constructor({ onEvent, onChange }) {
    this.onEvent = onEvent;
    this.onChange = onChange;
  }

  /** @param {Server} server that runs already */
  watch(server) {
    let failures = 0;
    server.on('exit', (reason, wasAsked) => {
      if (this.#stopping || wasAsked) return;
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

  /** From now on an end is an end. */
  stop() {
    this.#stopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { forgetChild, recordChild, signalProcess } from './children.mjs';
import { processTree } from './process-tree.mjs';

/**
 * @typedef {object} ServerPlan how to run one program
 * @property {string} name
 * @property {string} url where it answers; may hold a password
 * @property {string} command
 * @property {string[]} args
 * @property {NodeJS.ProcessEnv} [env] its whole environment
 * @property {string} [cwd]
 * @property {number} [uid] run as this user
 * @property {number} [gid]
 * @property {NodeJS.Signals} stopSignal what asks it to end cleanly
 * @property {() => Promise<unknown>} probe rejects while it is not ready
 * @property {string} logPath its output goes here
 * @property {string} childrenDir where its pid is noted for those who come after a crash
 * @property {() => void} [cleanUp] after the last stop
 */

const readyLimitMs = 30_000;
const stopLimitMs = 10_000;

/**
 * One program that this process runs, in a process group of its own: a terminal's Ctrl-C does not reach it.
 * Emits `exit` whenever it ends, asked or not.
 */
export class Server extends EventEmitter {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;

  /** @param {ServerPlan} plan */
  constructor(plan) {
    super();
    this.plan = plan;
  }

  get name() {
    return this.plan.name;
  }

  get url() {
    return this.plan.url;
  }

  /** Of the running process; 0 when it does not run. */
  get pid() {
    return this.#child?.pid ?? 0;
  }

  /**
   * Starts the program and waits until it is ready.
   * @returns {Promise<this>} rejects with the last lines of its log when it ends or is not ready in 30 s
   */
  async start() {
    const child = this.#spawn();
    const deadline = Date.now() + readyLimitMs;
    while (!(await this.#isReady())) {
      if (this.#child !== child) throw new Error(`${this.name} ended while starting\n${this.lastWords()}`);
      if (Date.now() > deadline)
        throw new Error(`${this.name} is not ready after ${readyLimitMs / 1000} s\n${this.lastWords()}`);
      await delay(15);
    }
    return this;
  }

  #spawn() {
    const { name, command, args, env, cwd, uid, gid, logPath, childrenDir, stopSignal } = this.plan;
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(command, args, { env, cwd, uid, gid, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    if (child.pid) recordChild(childrenDir, { name, pid: child.pid, stopSignal });
    child.once('error', (error) => this.#ended(child, error.message));
    child.once('exit', (code, signal) => this.#ended(child, signal ?? `exit code ${code}`));
    return child;
  }

  async #isReady() {
    return this.plan.probe().then(
      () => true,
      () => false,
    );
  }

  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} reason
   */
  #ended(child, reason) {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (child.pid) forgetChild(this.plan.childrenDir, child.pid);
    this.emit('exit', reason);
  }

  /** The last lines of the log and where it is, for an error message. */
  lastWords() {
    const lines = readFileSync(this.plan.logPath, 'utf8').trimEnd().split('\n').slice(-15);
    return [...lines.map((line) => `    ${line}`), `    (${this.plan.logPath})`].join('\n');
  }

  /** Ends the program cleanly, by force after 10 s, and waits for its end. */
  async stop() {
    await this.kill(this.plan.stopSignal);
    this.plan.cleanUp?.();
  }

  /**
   * Sends a signal that ends the program and waits for its end.
   * @param {NodeJS.Signals} [signal]
   */
  async kill(signal = 'SIGKILL') {
    if (!this.#child?.pid) return;
    const group = -this.#child.pid;
    const ended = once(this, 'exit');
    const force = setTimeout(() => signalProcess(group, 'SIGKILL'), stopLimitMs);
    this.resume();
    signalProcess(group, signal);
    await ended;
    clearTimeout(force);
  }

  /** Freezes the program and its children: it keeps its connections and answers nothing. */
  pause() {
    for (const pid of processTree(this.pid)) signalProcess(pid, 'SIGSTOP');
  }

  /** Undoes `pause`. */
  resume() {
    for (const pid of processTree(this.pid)) signalProcess(pid, 'SIGCONT');
  }

  /** Stops it when it runs and starts it again, same port and data. */
  async restart() {
    await this.kill(this.plan.stopSignal);
    const deadline = Date.now() + readyLimitMs;
    for (;;) {
      try {
        return await this.start();
      } catch (error) {
        // A killed PostgreSQL's backends hold its shared memory for a moment longer than it lives.
        if (Date.now() > deadline) throw error;
        await delay(100);
      }
    }
  }
}

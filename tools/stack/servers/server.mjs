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
 */

/** Those of a stack start all at once: a busy machine takes half a minute for them. */
const readyLimitMs = 60_000;

/** Services take up to 10 s to answer what they have begun. */
const stopLimitMs = 12_000;

const pollMs = 20;

/**
 * One program that this process runs, in a process group of its own: a terminal's Ctrl-C does not reach it.
 * Emits `exit` with the reason and whether it was asked to end.
 */
export class Server extends EventEmitter {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child;
  #launchedAt = 0;
  #isAsked = false;

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

  /** Milliseconds since the last launch. */
  get lifetimeMs() {
    return Date.now() - this.#launchedAt;
  }

  /**
   * Starts the program and waits until it is ready.
   * @returns {Promise<this>} rejects with the last lines of its log when it ends or is not ready in a minute
   */
  async start() {
    const child = this.launch();
    while (!(await this.#isReady())) {
      if (this.#child !== child)
        throw new Error(`${this.name} ended while starting\n${lastLines(this.plan.logPath)}`);
      if (this.lifetimeMs > readyLimitMs)
        throw new Error(
          `${this.name} is not ready after ${readyLimitMs / 1000} s\n${lastLines(this.plan.logPath)}`,
        );
      await delay(pollMs);
    }
    return this;
  }

  /** Starts the program and does not wait. */
  launch() {
    const { name, command, args, env, cwd, uid, gid, logPath, childrenDir, stopSignal } = this.plan;
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(command, args, { env, cwd, uid, gid, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    this.#launchedAt = Date.now();
    this.#isAsked = false;
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
    this.emit('exit', reason, this.#isAsked);
  }

  /** Ends the program cleanly, by force when that takes too long, and waits for its end. */
  async stop() {
    await this.kill(this.plan.stopSignal);
  }

  /**
   * Sends a signal that ends the program and waits for its end.
   * @param {NodeJS.Signals} [signal]
   * @param {number} [limitMs] after which SIGKILL follows
   */
  async kill(signal = 'SIGKILL', limitMs = stopLimitMs) {
    if (!this.#child?.pid) return;
    const group = -this.#child.pid;
    const ended = once(this, 'exit');
    const force = setTimeout(() => signalProcess(group, 'SIGKILL'), limitMs);
    this.#isAsked = true;
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

/**
 * The last lines of a log and where it is, for an error message.
 * @param {string} logPath
 */
export function lastLines(logPath) {
  const lines = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-15);
  return [...lines.map((line) => `    ${line}`), `    (${logPath})`].join('\n');
}

import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { forgetChild, recordChild, signalProcess } from './children.ts';
import { processTree, waitUntilStopped } from './process-tree.ts';

/** The configuration of one program. */
export interface ServerPlan {
  name: string;
  /** Its address; may contain a password. */
  url: string;
  command: string;
  args: string[];
  /** Its whole environment. */
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Run as this user. */
  uid?: number;
  gid?: number;
  /** The signal that requests a clean exit. */
  stopSignal: NodeJS.Signals;
  /** Rejects while it is not ready. */
  probe: () => Promise<unknown>;
  /** The file for its output. */
  logPath: string;
  /** The folder that records its pid, for the cleanup after a crash. */
  childrenDir: string;
}

/** The programs of a stack start concurrently, which lasts half a minute on a busy machine. */
const readyLimitMs = 60_000;

/** Services finish their requests within 10 s. */
const stopLimitMs = 12_000;

const pollMs = 20;

/**
 * One child process, in a separate process group, so that a terminal's Ctrl-C does not reach it.
 * Emits `exit` with the reason and whether the exit was requested.
 */
export class Server extends EventEmitter {
  #child: ChildProcess | undefined;
  #launchedAt = 0;
  #isStopRequested = false;

  readonly plan: ServerPlan;

  constructor(plan: ServerPlan) {
    super();
    this.plan = plan;
  }

  get name() {
    return this.plan.name;
  }

  get url() {
    return this.plan.url;
  }

  /** The pid of the running process; 0 when it does not run. */
  get pid() {
    return this.#child?.pid ?? 0;
  }

  /** Milliseconds since the last launch. */
  get lifetimeMs() {
    return Date.now() - this.#launchedAt;
  }

  /**
   * Starts the program and waits until it is ready.
   * @returns rejects with the last lines of its log when it ends or is not ready in a minute
   */
  async start(): Promise<this> {
    this.launch();
    return this.whenReady();
  }

  /**
   * Waits until the launched program is ready.
   * @returns rejects like `start`
   */
  async whenReady(): Promise<this> {
    const child = this.#child;
    while (!(await this.#isReady())) {
      if (this.#child !== child || !child)
        throw new Error(`${this.name} ended while starting\n${lastLines(this.plan.logPath)}`);
      if (this.lifetimeMs > readyLimitMs)
        throw new Error(
          `${this.name} is not ready after ${readyLimitMs / 1000} s\n${lastLines(this.plan.logPath)}`,
        );
      await delay(pollMs);
    }
    return this;
  }

  /** Starts the program without waiting for its readiness. */
  launch() {
    const { name, command, args, env, cwd, uid, gid, logPath, childrenDir, stopSignal } = this.plan;
    const log = openSync(logPath, 'a', 0o600);
    const child = spawn(command, args, { env, cwd, uid, gid, detached: true, stdio: ['ignore', log, log] });
    closeSync(log);
    this.#child = child;
    this.#launchedAt = Date.now();
    this.#isStopRequested = false;
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

  #ended(child: ChildProcess, reason: string) {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (child.pid) forgetChild(this.plan.childrenDir, child.pid);
    this.emit('exit', reason, this.#isStopRequested);
  }

  /** Stops the program with its stop signal, then with SIGKILL, and waits for its exit. */
  async stop() {
    await this.kill(this.plan.stopSignal);
  }

  /**
   * Sends a signal that ends the program and waits for its exit.
   * @param limitMs the time before SIGKILL
   */
  async kill(signal: NodeJS.Signals = 'SIGKILL', limitMs: number = stopLimitMs) {
    if (!this.#child?.pid) return;
    const ended = once(this, 'exit');
    const force = setTimeout(() => this.#signal('SIGKILL'), limitMs);
    this.#isStopRequested = true;
    this.resume();
    this.#signal(signal);
    await ended;
    clearTimeout(force);
  }

  /**
   * SIGKILL ends all processes of the program: backends of PostgreSQL have groups of their own, and would go on answering for a
   * moment.
   */
  #signal(name: NodeJS.Signals) {
    const { pid: root } = this;
    if (root === 0) return; // 0 would be the own group.
    const children = name === 'SIGKILL' ? processTree(root).slice(1) : [];
    signalProcess(-root, name);
    for (const pid of children) signalProcess(pid, name);
  }

  /** Pauses the program and its children, which have stopped when it returns: connections stay open without an answer. */
  pause() {
    const pids = processTree(this.pid);
    for (const pid of pids) signalProcess(pid, 'SIGSTOP');
    for (const pid of pids) waitUntilStopped(pid);
  }

  /** Resumes the program after `pause`. */
  resume() {
    for (const pid of processTree(this.pid)) signalProcess(pid, 'SIGCONT');
  }

  /** Stops the program if it runs, and starts it with the same port and data. */
  async restart() {
    await this.kill(this.plan.stopSignal);
    const deadline = Date.now() + readyLimitMs;
    for (;;) {
      try {
        return await this.start();
      } catch (error) {
        // The backends of a killed PostgreSQL keep its shared memory for a moment after it has exited.
        if (Date.now() > deadline) throw error;
        await delay(100);
      }
    }
  }
}

/** The last lines and the path of a log, for an error message. */
export function lastLines(logPath: string) {
  const lines = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-15);
  return [...lines.map((line) => `    ${line}`), `    (${logPath})`].join('\n');
}

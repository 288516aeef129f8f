import { EventEmitter, once } from 'node:events';
import { KmsError } from './kms-error.ts';

const MODES = ['none', 'down', 'slow', 'throttle', 'zeros'] as const;
const SLOW_MS_DEFAULT = 5_000;
const SLOW_MS_MAX = 600_000;

type Mode = (typeof MODES)[number];

/** The body of `POST /_fault`, unchecked. */
export interface FaultInput {
  mode?: unknown;
  ms?: unknown;
  times?: unknown;
}

/** The answer to `POST /_fault`: the fault that applies now, and the previous one with its operations. */
export interface FaultChange {
  mode: Mode;
  before: { mode: Mode; calls: number };
}

/**
 * The fault that applies to every KMS operation until the next change: `down` drops the connection, `slow` answers after
 * `ms` or at the next change, `throttle` answers ThrottlingException, `zeros` makes GenerateRandom return zero bytes.
 * `times` limits `down` to a number of calls, so that an outage ends deterministically between two calls.
 * `calls` counts the operations since the last change, for tests.
 */
export class Faults {
  #mode: Mode = 'none';
  #ms = 0;
  #times = Infinity;
  #calls = 0;
  #changes = new EventEmitter().setMaxListeners(0);

  /** Sets the fault and returns the previous state. */
  set(input: FaultInput): FaultChange {
    const mode = modeOf(input);
    const ms = delayOf(input);
    const times = timesOf(input, mode);
    const before = this.current;
    this.#mode = mode;
    this.#ms = ms;
    this.#times = times;
    this.#calls = 0;
    this.#changes.emit('change');
    return { mode, before };
  }

  /** The fault that applies now, and its operations. */
  get current(): FaultChange['before'] {
    return { mode: this.#mode, calls: this.#calls };
  }

  /** Applies the fault to one operation; `'drop'`: the server must drop the connection. */
  async apply(): Promise<'answer' | 'drop'> {
    this.#calls += 1;
    if (this.#mode === 'down') return this.#calls > this.#times ? 'answer' : 'drop';
    if (this.#mode === 'throttle') throw new KmsError('ThrottlingException', 'Rate exceeded');
    if (this.#mode === 'slow') await this.#wait();
    return 'answer';
  }

  async #wait() {
    const signal = AbortSignal.timeout(this.#ms);
    await once(this.#changes, 'change', { signal }).catch(() => {}); // the delay has passed
  }

  get zeros() {
    return this.#mode === 'zeros';
  }
}

function modeOf({ mode }: FaultInput): Mode {
  const known = MODES.find((one) => one === mode);
  if (!known) throw new KmsError('ValidationException', `mode must be one of ${MODES.join(', ')}`);
  return known;
}

function delayOf({ ms = SLOW_MS_DEFAULT }: FaultInput): number {
  if (typeof ms !== 'number' || !Number.isInteger(ms) || ms < 0 || ms > SLOW_MS_MAX) {
    throw new KmsError('ValidationException', `ms must be a whole number from 0 to ${SLOW_MS_MAX}`);
  }
  return ms;
}

function timesOf({ times }: FaultInput, mode: Mode): number {
  if (times === undefined) return Infinity;
  if (mode !== 'down' || typeof times !== 'number' || !Number.isSafeInteger(times) || times < 1)
    throw new KmsError('ValidationException', 'times must be a whole number, with mode down');
  return times;
}

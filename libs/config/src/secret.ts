import { inspect } from 'node:util';

/**
 * A value that is not logged by accident: JSON, string conversion and `util.inspect` return `[redacted]`. Only `reveal()`
 * returns the value, so a search for `reveal(` lists every use of a secret.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value. */
  reveal(): T {
    return this.#value;
  }

  toString(): string {
    return '[redacted]';
  }

  toJSON(): string {
    return '[redacted]';
  }

  [inspect.custom](): string {
    return '[redacted]';
  }
}

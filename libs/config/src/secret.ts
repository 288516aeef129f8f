import { inspect } from 'node:util';

/**
 * A value that cannot be logged, serialised or interpolated by accident: every such way gives `[redacted]`.
 * Only `reveal()` returns it, so a search for `reveal(` lists all places where a secret is used.
 */
export class Secret<T = string> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

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

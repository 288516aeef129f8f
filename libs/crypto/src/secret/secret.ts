import { inspect } from 'node:util';

const REDACTED = '[redacted]';

/**
 * A value that no log, error or JSON may show. Every automatic way to text gives `[redacted]`; `reveal()` is the one
 * way in, so that `grep reveal` finds every place where a secret leaves.
 */
export class Secret<Value> {
  readonly #value: Value;

  constructor(value: Value) {
    this.#value = value;
  }

  /** The value itself. Hand it to the one function that needs it and keep no copy. */
  reveal(): Value {
    return this.#value;
  }

  toJSON(): string {
    return REDACTED;
  }

  toString(): string {
    return REDACTED;
  }

  [inspect.custom](): string {
    return REDACTED;
  }
}

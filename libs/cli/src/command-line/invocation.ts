import type { CliContext } from '../cli-context.js';

type Value = string | boolean | readonly string[] | undefined;

/** A parsed command line, together with what commands work with. */
export class Invocation {
  readonly #arguments: ReadonlyMap<string, readonly string[]>;
  readonly #options: Readonly<Record<string, Value>>;

  constructor(
    readonly context: CliContext,
    values: {
      readonly arguments: ReadonlyMap<string, readonly string[]>;
      readonly options: Readonly<Record<string, Value>>;
      readonly program: readonly string[];
    },
  ) {
    this.#arguments = values.arguments;
    this.#options = values.options;
    this.program = values.program;
  }

  /** The words after `--`. */
  readonly program: readonly string[];

  /** A required argument, whose presence the parser has checked. */
  argument(name: string): string {
    return this.optionalArgument(name) ?? '';
  }

  optionalArgument(name: string): string | undefined {
    return this.#arguments.get(name)?.[0];
  }

  /** All values of a repeated argument. */
  argumentList(name: string): readonly string[] {
    return this.#arguments.get(name) ?? [];
  }

  /** The value of an option. */
  option(name: string): string | undefined {
    const value = this.#options[name];
    return typeof value === 'string' ? value : undefined;
  }

  /** All values of a repeated option. */
  optionList(name: string): readonly string[] {
    const value = this.#options[name];
    return Array.isArray(value) ? (value as readonly string[]) : [];
  }

  /** Whether an option without a value was given. */
  has(name: string): boolean {
    return this.#options[name] === true;
  }
}

import type { Invocation } from './invocation.js';

/** A positional argument of a command. No argument is ever a secret: process lists and shell histories show arguments. */
export interface ArgumentSpec {
  readonly name: string;
  readonly summary: string;
  readonly isOptional?: boolean;
  /** The last argument only: it may be given several times. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  /** Whether shells complete names of files. */
  readonly isFile?: boolean;
  /** The field of the API that it becomes: errors of the field name the argument. */
  readonly field?: string;
}

/** An option of a command. With `value` it takes one, of which `value` is the placeholder in the help. */
export interface OptionSpec {
  readonly summary: string;
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly isFile?: boolean;
  readonly isRepeated?: boolean;
  /** The field of the API that it becomes: errors of the field name the option. */
  readonly field?: string;
}

/** An example in the help: a comment and the line below it. */
export type Example = readonly [comment: string, line: string];

/** A command of one or two words, such as `vault open`. */
export interface Command {
  readonly name: string;
  readonly summary: string;
  /** The heading in the help of the program. */
  readonly section?: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** Whether `-- program and its arguments` follows. */
  readonly takesProgram?: boolean;
  readonly notes?: readonly string[];
  readonly examples: readonly Example[];
  /** Returns an exit code if it is not 0. */
  readonly run: (invocation: Invocation) => Promise<number | void>;
}

/** Options of every command. */
export const globalOptions: Readonly<Record<string, OptionSpec>> = {
  json: { summary: 'Print the result as one JSON object, and errors as JSON on the standard error.' },
  help: { summary: 'Print the help of the command.' },
};

/** All options of a command. */
export function optionsOf(command: Command): Readonly<Record<string, OptionSpec>> {
  return { ...command.options, ...globalOptions };
}

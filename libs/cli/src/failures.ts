import { exitCodes } from './exit-codes.js';

/** A failure of the CLI itself, with its exit code. The message is a sentence for the user. */
export class CliError extends Error {
  override readonly name: string = 'CliError';

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.failed,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A command line that cannot be run. */
export class UsageError extends CliError {
  override readonly name = 'UsageError';

  /** `command`: the command whose help shows what is right. */
  constructor(
    message: string,
    readonly command?: string,
  ) {
    super(message, exitCodes.usage);
  }
}

/** The user pressed Ctrl-C. `message` says how to go on, if there is something to go on with. */
export class Interrupted extends CliError {
  override readonly name = 'Interrupted';

  constructor(message = '') {
    super(message, exitCodes.interrupted);
  }
}

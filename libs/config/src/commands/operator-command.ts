import { parseArgs, type ParseArgsConfig } from 'node:util';

/** A command line that cannot be used. The message names the problem, and below it shows the usage if that is given. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  constructor(problem: string, usage?: string) {
    super(usage === undefined ? problem : `${problem}\n${usage}`);
  }
}

/** @throws UsageError */
export function parseCommandLine<T extends ParseArgsConfig>(
  config: T,
  usage: string,
): ReturnType<typeof parseArgs<T>> {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError((error as Error).message, usage);
  }
}

/**
 * Runs a command of the operator. A failure is written to the standard error without its stack, which would hide what to do; the exit
 * code is 2 for a UsageError, else 1.
 */
export async function runCommand(command: () => Promise<void>): Promise<void> {
  try {
    await command();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof UsageError ? 2 : 1;
  }
}

import { UsageError } from '@vaultsvc/config/commands';
import { filesCommand } from './files-command.js';
import { interopCommand } from './interop-command.js';
import { sampleCommand } from './sample-command.js';
import { usage } from './usage.js';
import { verifyCommand } from './verify-command.js';

/** Writes to the standard output, and returns an exit code. */
type Command = (args: readonly string[]) => Promise<number>;

const commands: ReadonlyMap<string, Command> = new Map([
  ['verify', verifyCommand],
  ['files', filesCommand],
  ['sample', sampleCommand],
  ['interop', interopCommand],
]);

/** Runs the command that the arguments name. Returns the exit code: 0 verified, 1 not intact, 2 cannot run. */
export async function runAudit([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help' || name === '-h') {
    process.stdout.write(usage);
    return 0;
  }
  try {
    const command = commands.get(name);
    if (!command) throw new UsageError(`There is no command ${name}.`);
    return await command(args);
  } catch (error) {
    if (!isUsage(error)) throw error;
    process.stderr.write(`${error.message}\n\nnpm run audit prints the help.\n`);
    return 2;
  }
}

/** Also what parseArgs and the file system throw. */
function isUsage(error: unknown): error is Error {
  const { code } = error as { readonly code?: unknown };
  const isFromNode =
    typeof code === 'string' && /^(ERR_PARSE_ARGS|ENOENT|EACCES|EISDIR|ENOTDIR|EEXIST)/.test(code);
  return error instanceof UsageError || (error instanceof Error && isFromNode);
}

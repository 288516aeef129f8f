import type { IgnoredNames, RetryWait } from '@vaultsvc/client';
import { ApiConnection } from './api/api-connection.js';
import type { CliContext } from './cli-context.js';
import { commandHelp, programHelp } from './command-line/help.js';
import { requestedInformation } from './command-line/information.js';
import { UsageError } from './failures.js';
import { Invocation } from './command-line/invocation.js';
import { findCommand, parseCommandLine } from './command-line/parse-command-line.js';
import { exitCodes } from './exit-codes.js';
import { commands } from './commands/index.js';
import type { Environment } from './environment.js';
import { reportFailure } from './report-failure.js';
import { CredentialStore } from './storage/credential-store.js';
import { Output } from './terminal/output.js';
import { printable } from './terminal/printable.js';
import type { RawInput } from './terminal/read-line.js';
import { Terminal } from './terminal/terminal.js';
import type { Readable, Writable } from 'node:stream';

/** The process around a run of the CLI. */
export interface CliProcess {
  readonly environment: Environment;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** The terminal to ask on while the standard input is something else; that of the process by default. */
  readonly openTty?: () => RawInput | undefined;
  /** Aborts at Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Runs a command line. Returns its exit code; failures are printed. */
export async function runCli(words: readonly string[], process: CliProcess): Promise<number> {
  // Also for lines that cannot be parsed.
  const output = new Output(process.stdout, process.stderr, words.includes('--json'));
  try {
    return await run(words, process);
  } catch (error) {
    return reportFailure(error, output, process.signal, findCommand(words, commands));
  }
}

async function run(words: readonly string[], process: CliProcess): Promise<number> {
  if (words.length === 0) {
    process.stderr.write(programHelp(commands));
    return exitCodes.usage;
  }
  const information = requestedInformation(words, commands);
  if (information !== undefined) {
    process.stdout.write(information);
    return exitCodes.ok;
  }
  const line = parseCommandLine(words, commands);
  if (line.options.help === true) {
    process.stdout.write(commandHelp(line.command));
    return exitCodes.ok;
  }
  const invocation = new Invocation(contextOf(process, line.options.json === true), line);
  try {
    return (await line.command.run(invocation)) ?? exitCodes.ok;
  } catch (error) {
    if (!(error instanceof UsageError) || error.command !== undefined) throw error;
    throw new UsageError(error.message, line.command.name);
  }
}

function contextOf(
  { environment, stdin, stdout, stderr, signal, openTty }: CliProcess,
  isJson: boolean,
): CliContext {
  const store = new CredentialStore(environment.configDir);
  const output = new Output(stdout, stderr, isJson);
  const warn = ({ call, names }: IgnoredNames) =>
    output.warn(`the API ignores ${names.map(printable).join(', ')} of ${call}.`);
  return {
    environment,
    store,
    signal,
    output,
    terminal: new Terminal(stdin, stderr, openTty),
    api: new ApiConnection(environment, store, signal, warn, (wait) => sayWait(output, wait)),
  };
}

/** A terminal that stays silent for seconds looks stuck. The first wait is shorter than that. */
function sayWait(output: Output, { attempt, seconds, status, error }: RetryWait): void {
  if (attempt !== 2 && seconds < 2) return;
  const why = error
    ? `There is no answer from ${error.origin ?? 'the server'}`
    : `The server is busy (${status})`;
  output.note(`${why}. Trying again in ${Math.ceil(seconds)} s.`);
}

import { ConnectionError, SourceError } from '@vaultsvc/client';
import { FileError } from '@vaultsvc/client/node';
import type { Command } from './command-line/command.js';
import { connectionProblem } from './connection-problem.js';
import { exitCodes } from './exit-codes.js';
import { CliError, UsageError } from './failures.js';
import { fieldProblems } from './field-problems.js';
import type { Output } from './terminal/output.js';
import { printable, printableJson } from './terminal/printable.js';

/** A failure as it is shown. */
interface Failure {
  readonly message: string;
  readonly exitCode: number;
  readonly reason?: string;
  readonly docs?: string;
  readonly requestId?: string;
  /** The next step for the user. */
  readonly advice?: string;
}

/** Prints a failure on the standard error, and returns the exit code of the process. */
export function reportFailure(
  error: unknown,
  output: Output,
  signal: AbortSignal,
  command?: Command,
): number {
  const failure = describeFailure(error, signal, command);
  const { message, exitCode, reason, docs, requestId, advice } = failure;
  if (output.isJson) {
    const shown = { message, reason, docs, request_id: requestId, exit_code: exitCode };
    output.stderr.write(`${printableJson({ error: shown })}\n`);
    return exitCode;
  }
  const rows = [
    ['reason', reason],
    ['more', docs],
    ['request', requestId],
  ].flatMap(([name, value]) => (value ? [`  ${name?.padEnd(8)} ${printable(value)}`] : []));
  const lines = [...(message === '' ? [] : [`vaultsvc: ${printable(message)}`]), ...rows];
  output.stderr.write([...lines, ...(advice ? [advice] : [])].map((line) => `${line}\n`).join(''));
  return exitCode;
}

/** Describes a failure. Nothing of it is a secret: requests and their headers are not part of it. */
export function describeFailure(error: unknown, signal: AbortSignal, command?: Command): Failure {
  if (error instanceof CliError) {
    const { message, exitCode, cause } = error;
    const response = isResponse(cause) ? describeResponse(cause, command) : {};
    return { ...response, message, exitCode, advice: adviceOf(error) };
  }
  // Whatever an aborted command threw is a consequence of Ctrl-C.
  if (signal.aborted) return { message: '', exitCode: exitCodes.interrupted };
  if (isResponse(error)) return describeResponse(error, command);
  if (error instanceof ConnectionError)
    return { message: connectionProblem(error), exitCode: exitCodes.failed };
  if (error instanceof FileError) return { message: fileProblem(error), exitCode: exitCodes.failed };
  // Its message has the cause already.
  if (error instanceof SourceError) return { message: error.message, exitCode: exitCodes.failed };
  return { message: causeOf(error), exitCode: exitCodes.failed };
}

/** In the words of the option that names the file. */
function fileProblem({ message, problem, kept }: FileError): string {
  if (problem === 'BUSY' || kept !== undefined) return message;
  return problem === 'EXISTS' ? `${message} Choose another name with --out.` : `--out: ${message}`;
}

function adviceOf(error: CliError): string | undefined {
  if (!(error instanceof UsageError)) return undefined;
  return `vaultsvc ${error.command ? `${error.command} ` : ''}--help shows how to use it.`;
}

/** An error response: the ApiError of the client library. */
interface ErrorResponse extends Error {
  readonly status: number;
  readonly code?: string;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
}

function isResponse(error: unknown): error is ErrorResponse {
  return error instanceof Error && typeof (error as Partial<ErrorResponse>).status === 'number';
}

function describeResponse(error: ErrorResponse, command: Command | undefined): Failure {
  const { message, status, code, details = {}, requestId } = error;
  const problems = fieldProblems(details, command);
  const reason = error.reason ?? text(details.reason);
  const state = text(details.state);
  return {
    // The message of the API is that of the first field.
    message: problems.length > 0 ? problems.join(' ') : message,
    reason,
    requestId,
    docs: text(details.docs),
    // A proxy does not know what exists and who may see it.
    exitCode: code === 'UNKNOWN' ? exitCodes.failed : exitCodeOf(status, reason, state),
  };
}

/** Refusals with 403 that mean that the secret no longer exists. */
const goneReasons: ReadonlySet<string> = new Set([
  'SPARK_BURNED',
  'SPARK_EXPIRED',
  'LINK_CONSUMED',
  'LINK_REVOKED',
  'LINK_EXPIRED',
]);
const goneStates: ReadonlySet<string> = new Set(['consumed', 'revoked', 'expired']);

function exitCodeOf(status: number, reason = '', state = ''): number {
  const isGone = status === 404 || goneReasons.has(reason) || goneStates.has(state);
  if (isGone) return exitCodes.gone;
  const isDenied = status === 401 || status === 403 || reason === 'VAULT_KEY_WRONG';
  return isDenied ? exitCodes.denied : exitCodes.failed;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** `fetch failed` says nothing; its cause names the host and the reason. */
function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path) return `There is no file ${path}.`;
  if (code === 'EACCES' && path) return `You may not access ${path}.`;
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const inner = cause && (cause.message || (cause as NodeJS.ErrnoException).code);
  return inner && !code ? `${error.message}: ${inner}` : error.message;
}

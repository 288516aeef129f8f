import { exitCodes } from './exit-codes.js';
import { CliError, UsageError } from './failures.js';
import type { Output } from './terminal/output.js';
import { printable } from './terminal/printable.js';

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
export function reportFailure(error: unknown, output: Output, signal: AbortSignal): number {
  const failure = describeFailure(error, signal);
  const { message, exitCode, reason, docs, requestId, advice } = failure;
  if (output.isJson) {
    const shown = { message, reason, docs, request_id: requestId, exit_code: exitCode };
    output.stderr.write(`${JSON.stringify({ error: shown })}\n`);
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
export function describeFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof CliError)
    return { message: error.message, exitCode: error.exitCode, advice: adviceOf(error) };
  // Whatever an aborted command threw is a consequence of Ctrl-C.
  if (signal.aborted) return { message: '', exitCode: exitCodes.interrupted };
  if (isResponse(error)) return describeResponse(error);
  return { message: causeOf(error), exitCode: exitCodes.failed };
}

function adviceOf(error: CliError): string | undefined {
  if (!(error instanceof UsageError)) return undefined;
  return `vaultsvc ${error.command ? `${error.command} ` : ''}--help shows how to use it.`;
}

/** An error response: the ApiError of the client library. */
interface ErrorResponse extends Error {
  readonly status: number;
  readonly reason?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
}

function isResponse(error: unknown): error is ErrorResponse {
  return error instanceof Error && typeof (error as Partial<ErrorResponse>).status === 'number';
}

function describeResponse(error: ErrorResponse): Failure {
  const { message, status, details = {}, requestId } = error;
  const reason = error.reason ?? text(details.reason);
  const state = text(details.state);
  return {
    message: [message, ...fieldProblems(details)].join(' '),
    reason,
    requestId,
    docs: text(details.docs),
    exitCode: exitCodeOf(status, reason, state),
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

/** `details.fields` of a VALIDATION_ERROR. Its messages never contain values. */
function fieldProblems({ fields }: Readonly<Record<string, unknown>>): string[] {
  if (!Array.isArray(fields)) return [];
  return (fields as { readonly field: string; readonly message: string }[]).map(
    ({ field, message }) => `${field}: ${message}.`,
  );
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

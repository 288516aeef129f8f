import type { LoggerService } from '@nestjs/common';
import { buildInfo } from '@vaultsvc/config';
import { currentScope, traceIdOf } from '@vaultsvc/telemetry';
import { pino, type DestinationStream, type Logger as Pino } from 'pino';
import { standardOutput } from './log-destination.js';

/**
 * One JSON line per fact on stdout. Fields: time (epoch ms), level, service, version, context and what the caller adds; within
 * a request its id, and the trace id while traces are on.
 * Query strings, paths and bodies are never given to it; secrets are typed so that they print as `[redacted]`.
 */
export function createLogger(
  service: string,
  level: string,
  destination: DestinationStream = standardOutput(),
): Pino {
  const options = {
    level,
    base: { service, version: buildInfo().version },
    mixin: scopeFields,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Fields of the request that the line belongs to. The line's own fields win. */
function scopeFields(): object {
  const scope = currentScope();
  if (!scope) return {};
  const traceId = traceIdOf(scope.trace);
  return traceId === undefined ? { requestId: scope.requestId } : { requestId: scope.requestId, traceId };
}

/** Stack and causes of an error; no other own properties, which might hold a query's values. */
export function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...('code' in error && { code: error.code }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}

/** Lets Nest's `Logger` write through pino: `logger.warn({ msg, … })` or `logger.warn('text')`. */
export class NestLogger implements LoggerService {
  /** @param current the logger of the service that writes: Nest has one `LoggerService` for a process */
  constructor(private readonly current: () => Pino) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.#write('info', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.#write('error', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.#write('warn', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.#write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.#write('trace', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.#write('fatal', message, rest);
  }

  /** Nest gives the context as the last text, and an error's stack as a text before it. */
  #write(
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal',
    message: unknown,
    rest: unknown[],
  ): void {
    const context = rest.at(-1);
    const stack = rest.length > 1 ? rest[0] : undefined;
    const fields =
      message instanceof Error ? { err: message } : typeof message === 'object' ? message : { msg: message };
    this.current()[level]({ context, ...(stack !== undefined && { stack }), ...fields });
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError, type ServiceConfig } from '@vaultsvc/config';
import { UnsuitableRole } from '@vaultsvc/database';
import { NatsUnusable } from '@vaultsvc/messaging';
import type { RunningService } from './start-service.js';

/** What a process runs until a signal: one service, or all of them. */
export interface RunningProcess {
  readonly service: Pick<RunningService, 'logger' | 'leave' | 'stop' | 'breakOff'>;
  readonly times: Pick<ServiceConfig, 'SHUTDOWN_DELAY_MS' | 'SHUTDOWN_GRACE_MS'>;
}

/** Starts, stops on SIGTERM or SIGINT, and exits. A start that fails is reported in words for an operator. */
export async function runUntilSignal(name: string, start: () => Promise<RunningProcess>): Promise<void> {
  const began = Date.now();
  try {
    const running = await start();
    stopOnSignals(running);
    running.service.logger.info({ msg: 'ready', startMs: Date.now() - began });
  } catch (error) {
    process.stderr.write(`${name} cannot start. ${textOf(error)}\n`);
    process.exit(1);
  }
}

/** A stack would hide what the operator has to do. */
const OPERATORS_ERRORS = [ConfigError, NatsUnusable, UnsuitableRole];

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOperators = OPERATORS_ERRORS.some((type) => error instanceof type);
  return isOperators ? error.message : (error.stack ?? error.message);
}

/**
 * Every further SIGTERM is ignored: some supervisors send two, and the second one would end the process before it has drained. A second
 * SIGINT, of somebody at a terminal who does not want to wait, ends it at once.
 */
function stopOnSignals({ service, times }: RunningProcess): void {
  let isStopping = false;
  const stop = (signal: string) => {
    if (isStopping) return;
    isStopping = true;
    service.logger.info({ msg: 'stopping', signal });
    const breakOff = () => void service.breakOff().finally(() => process.exit(1));
    setTimeout(breakOff, times.SHUTDOWN_DELAY_MS + times.SHUTDOWN_GRACE_MS).unref();
    leaveAndStop(service, times.SHUTDOWN_DELAY_MS).then(
      () => {
        service.logger.info({ msg: 'stopped' });
        process.exit(0);
      },
      (error: unknown) => {
        service.logger.error({ msg: 'could not stop cleanly', err: error });
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.once('SIGINT', stop);
}

/** Requests that a load balancer sends before it notices are still answered. */
async function leaveAndStop(service: RunningProcess['service'], delayMs: number): Promise<void> {
  service.leave();
  if (delayMs > 0) await delay(delayMs);
  await service.stop();
}

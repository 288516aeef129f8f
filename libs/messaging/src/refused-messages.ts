import { Logger } from '@nestjs/common';
import { Counter } from 'prom-client';

const LOG_EVERY_MS = 1_000;

/** Calls and replies that are not authentic. Without a fault in CALL_KEYS, somebody sends messages as one of our services. */
export const refused = new Counter({
  name: 'vaultsvc_messages_refused_total',
  help: 'Messages over NATS that were refused or could not be read, by operation and reason.',
  labelNames: ['operation', 'message', 'reason'],
});

const logger = new Logger('operations');
let loggedAtMs = -Infinity;

/** A call that has no effect and no reply: its sender cannot be trusted, and may listen on the reply subject. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall';
  constructor(readonly reason: 'caller' | 'malformed' | 'mac' | 'replay' | 'deadline') {
    super(`a call was refused: ${reason}`);
  }
}

/** Counts a refused call and logs at most one each second, so that a flood fills no disk. */
export function reportRefused(operation: string, { reason }: RefusedCall): void {
  refused.inc({ operation, message: 'call', reason });
  const nowMs = performance.now();
  if (nowMs - loggedAtMs < LOG_EVERY_MS) return;
  loggedAtMs = nowMs;
  logger.warn({ msg: 'refused a call', operation, reason });
}

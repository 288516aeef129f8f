import { Injectable } from '@nestjs/common';

/** Consecutive messages without an answer that open a breaker. */
const FAILURES_MAX = 3;
const FIRST_DELAY_MS = 5_000;
const DELAY_MS_MAX = 60_000;
/** Breakers that an instance keeps; the one that changed longest ago is forgotten first. */
const BREAKERS_MAX = 10_000;

interface Breaker {
  /** Consecutive messages without an answer. */
  readonly failures: number;
  /** How long the breaker stays open after the next failure. */
  readonly delayMs: number;
  /** By the monotonic clock. */
  readonly openUntilMs: number;
  /** Whether a message is on its way to find out whether the target answers again. */
  readonly isProbing: boolean;
}

/**
 * Circuit breakers of the targets of accounts, one for each account and target (ADR 37). After three messages without an
 * answer the others wait. Then one at a time is sent as a probe, after a delay that doubles from 5 s to 60 s, until one is
 * answered. In memory: a restarted instance finds out again by three messages.
 */
@Injectable()
export class TargetBreakers {
  readonly #breakers = new Map<string, Breaker>();

  /** Milliseconds for which messages to the target have to wait; 0: one may be sent. */
  waitMs(target: string, now = performance.now()): number {
    const breaker = this.#breakers.get(target);
    if (!breaker || breaker.failures < FAILURES_MAX) return 0;
    return breaker.isProbing ? breaker.delayMs : Math.max(0, breaker.openUntilMs - now);
  }

  /** Whether a message may be sent now. Each admitted one is reported to `answered` or `unanswered`. */
  admit(target: string, now = performance.now()): boolean {
    if (this.waitMs(target, now) > 0) return false;
    const breaker = this.#breakers.get(target);
    if (breaker && breaker.failures >= FAILURES_MAX) this.#put(target, { ...breaker, isProbing: true });
    return true;
  }

  answered(target: string): void {
    this.#breakers.delete(target);
  }

  unanswered(target: string, now = performance.now()): void {
    const { failures, delayMs, isProbing } = this.#breakers.get(target) ?? none;
    if (failures + 1 < FAILURES_MAX) return this.#put(target, { ...none, failures: failures + 1 });
    if (failures >= FAILURES_MAX && !isProbing) return; // it was sent before the breaker opened
    const nextMs = Math.min(delayMs * 2, DELAY_MS_MAX);
    this.#put(target, {
      failures: FAILURES_MAX,
      delayMs: nextMs,
      openUntilMs: now + delayMs,
      isProbing: false,
    });
  }

  #put(target: string, breaker: Breaker): void {
    this.#breakers.delete(target);
    this.#breakers.set(target, breaker);
    const [oldest] = this.#breakers.keys();
    if (this.#breakers.size > BREAKERS_MAX && oldest !== undefined) this.#breakers.delete(oldest);
  }
}

const none: Breaker = { failures: 0, delayMs: FIRST_DELAY_MS, openUntilMs: 0, isProbing: false };

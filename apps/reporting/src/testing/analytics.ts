import type { CallInput, Operation, PublicSpec, Reply } from '@vaultsvc/contracts';
import { sparkCreated } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { accountContext } from '@vaultsvc/testing/harness';
import { eventually } from '@vaultsvc/testing/waiting';
import { hourOf } from '../analytics/windows.js';
import { deliveryOf, processed, send, type Fact } from './deliveries.js';
import type { Platform } from './platform.js';

export const action = { actor_type: 'api_key', actor_id: newId('key_') } as const;

/** An account whose events a test delivers, and its calls of analytics. */
export class AnalyticsAccount {
  readonly id = newId('acc_');

  constructor(private readonly platform: Platform) {}

  newSpark(): { spark_id: string; account_id: string; size_bytes: number } & typeof action {
    return { spark_id: newId('spk_'), account_id: this.id, size_bytes: 10, ...action };
  }

  sparkCreated(): Fact {
    return [sparkCreated, this.newSpark()];
  }

  /** Delivers events that occurred at a time, and waits until they are applied. Returns the deliveries. */
  async record(facts: readonly Fact[], occurredAtMs = Date.now()) {
    const deliveries = facts.map((fact) => deliveryOf(fact, occurredAtMs));
    await send(this.platform, ...deliveries);
    const ids = deliveries.map(({ id }) => id);
    await eventually(
      () => processed(this.platform, ids),
      (count) => count === ids.length,
    );
    return deliveries;
  }

  call<S extends PublicSpec>(op: Operation<S>, input: CallInput<S>): Promise<Reply<S>> {
    return this.platform.harness.bus.call(op, input, accountContext({ accountId: this.id })) as Promise<
      Reply<S>
    >;
  }
}

/** Repeats a test whose hour has ended before it did: the current hour is then another one. */
export async function withinOneHour(test: (nowMs: number) => Promise<void>): Promise<void> {
  const nowMs = Date.now();
  await test(nowMs).catch((error: unknown) => {
    if (hourOf(nowMs) === hourOf(Date.now())) throw error;
    return withinOneHour(test);
  });
}

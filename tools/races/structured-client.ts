import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type AccountContext } from '@vaultsvc/contracts';
import { readSpark } from '@vaultsvc/contracts/sparks';
import {
  createStructured,
  createVault,
  readStructured,
  RETRIEVED_KEYS_MAX,
  unsealVault,
  updateStructured,
  type StructuredReading,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import type { Bus } from '@vaultsvc/messaging';
import { accountContext, deadlineIn } from '@vaultsvc/testing/harness';

/** For what is not raced for, and cannot be tried again where its answer is lost. */
const PEACE_SECONDS = 15;
const RETRY_MS = 100;
const RETRIES_MAX = 200;

export interface Caller {
  readonly bus: Bus;
  /** How long one call may take. */
  readonly callSeconds: number;
}

/** Structured ingots of one open vault, called as the gateway calls. */
export class StructuredClient {
  readonly #owner = accountContext();
  #vaultId = '';
  #vat = '';

  private constructor(private readonly caller: Caller) {}

  static async open(caller: Caller): Promise<StructuredClient> {
    const keys = new StructuredClient(caller);
    await keys.#open();
    return keys;
  }

  get vaultId(): string {
    return this.#vaultId;
  }

  /** Makes an ingot of version 1, or overwrites the one of this name. Tried once. */
  async write(name: string, data: Record<string, string>): Promise<string> {
    const input = { params: { vault_id: this.#vaultId }, body: { name, data } };
    return (await this.caller.bus.call(createStructured, input, this.#context())).ingot_id;
  }

  /** Gives the new version. Tried once. */
  async patch(ingot_id: string, set: Record<string, string>): Promise<number> {
    const input = { params: this.#params(ingot_id), body: { set } };
    return (await this.caller.bus.call(updateStructured, input, this.#context())).version;
  }

  async state(ingot_id: string): Promise<{ version: number; names: readonly string[] }> {
    const { version = 0, keys: names = [] } = await this.#read(ingot_id, {});
    return { version, names };
  }

  /** The values of all of these that are there. */
  async values(ingot_id: string, names: readonly string[]): Promise<Map<string, string>> {
    const values = new Map<string, string>();
    for (let i = 0; i < names.length; i += RETRIEVED_KEYS_MAX) {
      const keys = names.slice(i, i + RETRIEVED_KEYS_MAX).join(',');
      const { values: minted = {} } = await this.#read(ingot_id, { keys, ttl: 600 });
      for (const [name, { spark_id }] of Object.entries(minted))
        values.set(name, await this.#readSpark(spark_id));
    }
    return values;
  }

  #read(ingot_id: string, query: { keys?: string; ttl?: number }): Promise<StructuredReading> {
    const input = { params: this.#params(ingot_id), query };
    return untilAnswered(() => this.caller.bus.call(readStructured, input, this.#context()));
  }

  async #readSpark(spark_id: string): Promise<string> {
    const { payload } = await this.caller.bus.call(readSpark, { params: { spark_id } }, this.#inPeace());
    return payload;
  }

  async #open(): Promise<void> {
    const { bus } = this.caller;
    const { vault_id, vmk } = await bus.call(createVault, { body: { name: newId('vlt_') } }, this.#inPeace());
    const input = { params: { vault_id }, body: { vmk, ttl_seconds: 86_400 } };
    this.#vat = (await bus.call(unsealVault, input, this.#inPeace())).vat;
    this.#vaultId = vault_id;
  }

  #params(ingot_id: string) {
    return { vault_id: this.#vaultId, ingot_id };
  }

  #inPeace(): AccountContext {
    return { ...this.#owner, deadlineMs: deadlineIn(PEACE_SECONDS) };
  }

  #context(): AccountContext {
    const vault = { token: this.#vat, accessLevel: 'read_write' } as const;
    return { ...this.#owner, vault, deadlineMs: deadlineIn(this.caller.callSeconds) };
  }
}

/**
 * Tries again what is lost with a copy that is killed, for calls that may be repeated, and what was told to come back.
 */
export function untilAnswered<T>(call: () => Promise<T>): Promise<T> {
  return whileRefused(call, ['INTERNAL_ERROR', 'BUSY']);
}

/** Tries again what has changed nothing, because others were at it for too long. */
export function untilAdmitted<T>(call: () => Promise<T>): Promise<T> {
  return whileRefused(call, ['BUSY']);
}

async function whileRefused<T>(call: () => Promise<T>, reasons: readonly string[]): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call();
    } catch (error) {
      const isRefused = error instanceof AppError && reasons.includes(error.reason);
      if (!isRefused) throw error;
      if (tries === RETRIES_MAX) throw new Error(`not answered in ${tries} tries`, { cause: error });
    }
    await delay(RETRY_MS);
  }
}

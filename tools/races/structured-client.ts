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

/** For calls that prepare or verify a race and cannot be repeated after a lost answer. */
const SETUP_CALL_SECONDS = 15;
const RETRY_MS = 100;
const RETRIES_MAX = 200;

export interface Caller {
  readonly bus: Bus;
  /** The deadline of one call. */
  readonly callSeconds: number;
}

/** Calls the operations of structured ingots in one unsealed vault, as the gateway does. */
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

  /** Creates an ingot with version 1, or overwrites the one of this name. Without retry. */
  async write(name: string, data: Record<string, string>): Promise<string> {
    const input = { params: { vault_id: this.#vaultId }, body: { name, data } };
    return (await this.caller.bus.call(createStructured, input, this.#context())).ingot_id;
  }

  /** Sets keys and returns the new version. Without retry. */
  async patch(ingot_id: string, set: Record<string, string>): Promise<number> {
    const input = { params: this.#params(ingot_id), body: { set } };
    return (await this.caller.bus.call(updateStructured, input, this.#context())).version;
  }

  async state(ingot_id: string): Promise<{ version: number; names: readonly string[] }> {
    const { version = 0, keys: names = [] } = await this.#read(ingot_id, {});
    return { version, names };
  }

  /** The values of those keys that exist. */
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
    return retryWhileUnavailable(() => this.caller.bus.call(readStructured, input, this.#context()));
  }

  async #readSpark(spark_id: string): Promise<string> {
    const { payload } = await this.caller.bus.call(readSpark, { params: { spark_id } }, this.#setupContext());
    return payload;
  }

  async #open(): Promise<void> {
    const { bus } = this.caller;
    const { vault_id, vmk } = await bus.call(
      createVault,
      { body: { name: newId('vlt_') } },
      this.#setupContext(),
    );
    const input = { params: { vault_id }, body: { vmk, ttl_seconds: 86_400 } };
    this.#vat = (await bus.call(unsealVault, input, this.#setupContext())).vat;
    this.#vaultId = vault_id;
  }

  #params(ingot_id: string) {
    return { vault_id: this.#vaultId, ingot_id };
  }

  #setupContext(): AccountContext {
    return { ...this.#owner, deadlineMs: deadlineIn(SETUP_CALL_SECONDS) };
  }

  #context(): AccountContext {
    const vault = { token: this.#vat, accessLevel: 'read_write' } as const;
    return { ...this.#owner, vault, deadlineMs: deadlineIn(this.caller.callSeconds) };
  }
}

/** Retries a repeatable call while it is refused as busy or its answer is lost with a killed instance. */
export function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
  return retryOn(call, ['INTERNAL_ERROR', 'BUSY']);
}

/** Retries a call that was refused as busy and therefore changed nothing. */
export function retryWhileBusy<T>(call: () => Promise<T>): Promise<T> {
  return retryOn(call, ['BUSY']);
}

async function retryOn<T>(call: () => Promise<T>, reasons: readonly string[]): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await call();
    } catch (error) {
      const isRefused = error instanceof AppError && reasons.includes(error.reason);
      if (!isRefused) throw error;
      if (attempts === RETRIES_MAX)
        throw new Error(`no success after ${attempts} attempts`, { cause: error });
    }
    await delay(RETRY_MS);
  }
}

import { Injectable } from '@nestjs/common';
import { AppError, assertPoolsAvailable, type VaultContext } from '@vaultsvc/contracts';
import { MINT_BYTES_MAX, SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import type { StructuredReading } from '@vaultsvc/contracts/vaults';
import { ConcurrentModification, retryOnConflict } from '@vaultsvc/database';
import type { VaultIdentity } from '../../keys/vault-key.js';
import { PrioritySemaphore } from '../../priority-semaphore.js';
import type { OpenVault } from '../../session/vault-authorizer.js';
import { StructuredFinder, type FoundStructured } from '../structured-finder.js';
import { StructuredKey } from '../structured-key.js';
import { StructuredValueRepository, type StoredValue } from '../structured-value.repository.js';
import { ValueReleaser, type ValueToRelease } from './value-releaser.js';

/** The requested keys and the lifetime of the Sparks of their values. */
export interface RequestedValues {
  /** Without duplicates, in the order of the request. */
  readonly keys: readonly string[];
  readonly ttlSeconds: number;
}

export type RetrievedValues = Required<Pick<StructuredReading, 'ingot_id' | 'values' | 'missing_keys'>>;

/** Each takes up to 25 MB of memory. With two, one decrypts while the other waits for sparks. */
const LARGE_RETRIEVALS_MAX = 2;

/** Retrieves values of a structured ingot as Sparks. */
@Injectable()
export class ValueRetriever {
  readonly #large = new PrioritySemaphore(LARGE_RETRIEVALS_MAX);

  constructor(
    private readonly finder: StructuredFinder,
    private readonly values: StructuredValueRepository,
    private readonly releaser: ValueReleaser,
  ) {}

  /**
   * Creates a Spark for each value that exists, for all or none of them (STR-12). Throws what `StructuredFinder.find` does,
   * 402, VALIDATION_ERROR when a value is too large for a Spark (STR-24), and what `ValueReleaser.release` does.
   */
  retrieve(
    vault: OpenVault,
    reference: string,
    requested: RequestedValues,
    context: VaultContext,
  ): Promise<RetrievedValues> {
    return retryOnConflict(async () => {
      const found = await this.finder.find(vault.ids, reference);
      assertPoolsAvailable(context, 'bandwidth');
      const work = () => this.#release(vault, found, requested, context);
      const bytesMax = Math.min(found.sizeBytes, requested.keys.length * SPARK_PAYLOAD_BYTES_MAX);
      return bytesMax > MINT_BYTES_MAX ? this.#large.run(bytesMax, context.deadlineMs, work) : work();
    });
  }

  async #release(
    vault: OpenVault,
    found: FoundStructured,
    requested: RequestedValues,
    context: VaultContext,
  ): Promise<RetrievedValues> {
    const ingot = { ...vault.ids, ingotId: found.ingotId };
    const key = StructuredKey.open(vault.vaultKey, ingot, found.wrappedKey);
    try {
      const { values, missing } = await this.#find(vault.ids, found, key, requested.keys);
      const source = { ingot, lock: vault.lock };
      const sparks = await this.releaser.release(source, values, requested.ttlSeconds, context);
      // `fromEntries` defines properties, which is safe for a key named `__proto__`; assignment is not.
      return { ingot_id: ingot.ingotId, values: Object.fromEntries(sparks), missing_keys: missing };
    } finally {
      key.wipe();
    }
  }

  async #find(vault: VaultIdentity, found: FoundStructured, key: StructuredKey, names: readonly string[]) {
    const keys = names.map((name) => ({ name, blind: key.blind(name) }));
    const blinds = keys.map(({ blind }) => blind);
    const stored = await this.values.find(vault, found, blinds);
    if (!stored) throw new ConcurrentModification();
    const byBlind = new Map(stored.map((value) => [value.blind.toString('hex'), value]));
    const rows = keys.map(({ name, blind }) => ({ name, value: byBlind.get(blind.toString('hex')) }));
    assertMintable(rows);
    return {
      values: rows.flatMap(({ name, value }) => (value ? [toRelease(name, value, key)] : [])),
      missing: rows.filter(({ value }) => !value).map(({ name }) => name),
    };
  }
}

interface RequestedValue {
  readonly name: string;
  readonly value: StoredValue | undefined;
}

/** One oversize value fails the whole request, before any Spark is created (OPEN-19). */
function assertMintable(rows: readonly RequestedValue[]): void {
  const oversize = rows.filter(({ value }) => value && value.sizeBytes > SPARK_PAYLOAD_BYTES_MAX);
  if (oversize.length === 0) return;
  const message = `keys must name values of at most ${SPARK_PAYLOAD_BYTES_MAX} bytes, the maximum of a Spark`;
  throw new AppError('VALIDATION_ERROR', {
    fields: [{ field: 'keys', message }],
    oversize_keys: oversize.map(({ name }) => name),
  });
}

function toRelease(name: string, value: StoredValue, key: StructuredKey): ValueToRelease {
  const { contentType, sizeBytes, sealedValue } = value;
  return { name, contentType, sizeBytes, open: () => key.openValue(sealedValue as Buffer, value) };
}

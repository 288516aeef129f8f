import { Injectable } from '@nestjs/common';
import { AppError, assertPoolsAvailable, type VaultContext } from '@vaultsvc/contracts';
import { MINT_BYTES_MAX, SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import type { StructuredReading } from '@vaultsvc/contracts/vaults';
import { ConcurrentModification, retryOnConflict } from '@vaultsvc/database';
import type { VaultIdentity } from '../keys/vault-key.js';
import type { OpenVault } from '../session/vault-access.js';
import { AskedValues, type StoredValue } from './asked-values.repository.js';
import { Lane } from '../lane.js';
import { StructuredFinder, type FoundStructured } from './structured-finder.js';
import { StructuredKey } from './structured-key.js';
import { ValueRelease, type ValueToRelease } from './value-release.js';

/** Which values are asked for, and how long their Sparks may wait to be read. */
export interface ValuesAsked {
  /** Each once, in the order in which they were named. */
  readonly keys: readonly string[];
  readonly ttlSeconds: number;
}

export type RetrievedValues = Required<Pick<StructuredReading, 'ingot_id' | 'values' | 'missing_keys'>>;

/** Each holds up to 25 MB: the second works while the first waits for sparks. */
const LARGE_ONES_MAX = 2;

/** The values of a structured ingot, as Sparks. */
@Injectable()
export class ValueRetrieval {
  readonly #large = new Lane(LARGE_ONES_MAX);

  constructor(
    private readonly finder: StructuredFinder,
    private readonly values: AskedValues,
    private readonly release: ValueRelease,
  ) {}

  /**
   * A Spark for each value that is there, of all of them or of none (STR-12). Throws what `StructuredFinder.find` does,
   * 402, VALIDATION_ERROR when a value is too large for a Spark (STR-24), and what `ValueRelease.release` does.
   */
  retrieve(
    vault: OpenVault,
    reference: string,
    asked: ValuesAsked,
    context: VaultContext,
  ): Promise<RetrievedValues> {
    return retryOnConflict(async () => {
      const found = await this.finder.find(vault.ids, reference);
      assertPoolsAvailable(context, 'bandwidth');
      const work = () => this.#release(vault, found, asked, context);
      const bytesMax = Math.min(found.sizeBytes, asked.keys.length * SPARK_PAYLOAD_BYTES_MAX);
      return bytesMax > MINT_BYTES_MAX ? this.#large.run(bytesMax, context.deadlineMs, work) : work();
    });
  }

  async #release(
    vault: OpenVault,
    found: FoundStructured,
    asked: ValuesAsked,
    context: VaultContext,
  ): Promise<RetrievedValues> {
    const ingot = { ...vault.ids, ingotId: found.ingotId };
    const key = StructuredKey.open(vault.vaultKey, ingot, found.wrappedKey);
    try {
      const { values, missing } = await this.#look(vault.ids, found, key, asked.keys);
      const retrieved = { ingot, lock: vault.lock };
      const sparks = await this.release.release(retrieved, values, asked.ttlSeconds, context);
      // Defined and not assigned: a key may be called `__proto__`.
      return { ingot_id: ingot.ingotId, values: Object.fromEntries(sparks), missing_keys: missing };
    } finally {
      key.wipe();
    }
  }

  async #look(vault: VaultIdentity, found: FoundStructured, key: StructuredKey, names: readonly string[]) {
    const asked = names.map((name) => ({ name, blind: key.blind(name) }));
    const blinds = asked.map(({ blind }) => blind);
    const stored = await this.values.of(vault, found, blinds);
    if (!stored) throw new ConcurrentModification();
    const byBlind = new Map(stored.map((value) => [value.blind.toString('hex'), value]));
    const rows = asked.map(({ name, blind }) => ({ name, value: byBlind.get(blind.toString('hex')) }));
    assertMintable(rows);
    return {
      values: rows.flatMap(({ name, value }) => (value ? [released(name, value, key)] : [])),
      missing: rows.filter(({ value }) => !value).map(({ name }) => name),
    };
  }
}

interface AskedRow {
  readonly name: string;
  readonly value: StoredValue | undefined;
}

/** One that is too large fails all of them, before anything is minted (OPEN-19). */
function assertMintable(rows: readonly AskedRow[]): void {
  const oversize = rows.filter(({ value }) => value && value.sizeBytes > SPARK_PAYLOAD_BYTES_MAX);
  if (oversize.length === 0) return;
  const message = `keys must name values of at most ${SPARK_PAYLOAD_BYTES_MAX} bytes: no Spark holds more`;
  throw new AppError('VALIDATION_ERROR', {
    fields: [{ field: 'keys', message }],
    oversize_keys: oversize.map(({ name }) => name),
  });
}

function released(name: string, value: StoredValue, key: StructuredKey): ValueToRelease {
  const { contentType, sizeBytes, sealedValue } = value;
  return { name, contentType, sizeBytes, open: () => key.openValue(sealedValue as Buffer, value) };
}

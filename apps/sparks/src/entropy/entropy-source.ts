import { randomBytes } from 'node:crypto';
import type { OnApplicationShutdown, Provider } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Kms, KmsUnavailable } from '@vaultsvc/crypto/kms';
import { SparksConfig } from '../config.js';

/** Generates random bytes on this machine, independently of key management. */
export type LocalGenerator = (bytes: number) => Buffer;

/**
 * Random bytes of two independent sources: key management, which is backed by hardware, XOR this machine (ENT-16).
 * Predicting one of them does not help an attacker. The local source is never used alone (ENT-17).
 */
export class EntropySource implements OnApplicationShutdown {
  constructor(
    private readonly kms: Kms,
    private readonly local: LocalGenerator,
  ) {}

  /** The draws for one value. */
  startDraws(): EntropyDraws {
    return new EntropyDraws(this.kms, this.local);
  }

  onApplicationShutdown(): void {
    this.kms.close();
  }
}

/** The draws for one value, with the ids of key management's responses. */
export class EntropyDraws {
  readonly #requestIds: string[] = [];

  constructor(
    private readonly kms: Kms,
    private readonly local: LocalGenerator,
  ) {}

  /** In the order of the draws. */
  get requestIds(): readonly string[] {
    return this.#requestIds;
  }

  /** Draws 1 to 1,024 bytes, which the caller wipes. Throws ENTROPY_UNAVAILABLE when key management is unavailable. */
  async draw(bytes: number): Promise<Buffer> {
    const { random, requestId } = await this.kms.generateRandom(bytes).catch(refuse);
    this.#requestIds.push(requestId);
    xorInto(random, this.local(bytes));
    return random;
  }
}

/** XORs the second into the first and wipes the second. */
function xorInto(random: Buffer, local: Buffer): void {
  for (const [index, byte] of local.entries()) random.writeUInt8(random.readUInt8(index) ^ byte, index);
  local.fill(0);
}

function refuse(error: unknown): never {
  if (error instanceof KmsUnavailable) throw new AppError('ENTROPY_UNAVAILABLE', undefined, { cause: error });
  throw error;
}

/** With a KMS client of its own: throttled entropy requests must not open the circuit breaker of the data keys. */
export const entropySourceProvider: Provider = {
  provide: EntropySource,
  useFactory: (config: SparksConfig) => new EntropySource(new Kms(config.kms), randomBytes),
  inject: [SparksConfig],
};

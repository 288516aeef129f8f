import type { OnApplicationShutdown } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Kms, KmsUnavailable } from '@vaultsvc/crypto/kms';

/** A generator of this machine, independent of key management: so many random bytes. */
export type LocalGenerator = (bytes: number) => Buffer;

/**
 * Random bytes of two sources that know nothing of each other: key management, which is backed by hardware, XOR this
 * machine (ENT-16). Whoever can foretell one of them has learnt nothing. The local one alone is never used (ENT-17).
 */
export class EntropySource implements OnApplicationShutdown {
  constructor(
    private readonly kms: Kms,
    private readonly local: LocalGenerator,
  ) {}

  /** A drawing for one value. */
  begin(): EntropyDraws {
    return new EntropyDraws(this.kms, this.local);
  }

  onApplicationShutdown(): void {
    this.kms.close();
  }
}

/** The draws that one value is made of. */
export class EntropyDraws {
  readonly #requestIds: string[] = [];

  constructor(
    private readonly kms: Kms,
    private readonly local: LocalGenerator,
  ) {}

  /** What key management calls its answers so far, in the order in which they came. */
  get requestIds(): readonly string[] {
    return this.#requestIds;
  }

  /** 1 to 1,024 bytes, which the caller wipes. Throws ENTROPY_UNAVAILABLE when key management gives none. */
  async draw(bytes: number): Promise<Buffer> {
    const { random, requestId } = await this.kms.generateRandom(bytes).catch(refuse);
    this.#requestIds.push(requestId);
    mixInto(random, this.local(bytes));
    return random;
  }
}

/** XORs the second into the first and wipes the second. */
function mixInto(random: Buffer, local: Buffer): void {
  for (const [index, byte] of local.entries()) random.writeUInt8(random.readUInt8(index) ^ byte, index);
  local.fill(0);
}

function refuse(error: unknown): never {
  if (error instanceof KmsUnavailable) throw new AppError('ENTROPY_UNAVAILABLE', undefined, { cause: error });
  throw error;
}

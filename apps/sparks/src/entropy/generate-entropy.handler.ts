import { createHash, randomBytes } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { assertPoolsAvailable, validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { generateEntropy, type Entropy, type EntropyRequest } from '@vaultsvc/contracts/sparks';
import { lengthPrefixed, newId } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../call-context.js';
import { formats, type Draw } from './entropy-formats.js';
import { EntropyRecorder } from './entropy-recorder.js';
import { EntropySource } from './entropy-source.js';

/** 256 bits: a shorter opening would let a reader of the event try all values of a short format. */
const OPENING_BYTES = 32;

@Controller()
export class GenerateEntropy {
  constructor(
    private readonly source: EntropySource,
    private readonly recorder: EntropyRecorder,
  ) {}

  @Handles(generateEntropy)
  async handle({ body }: Input<typeof generateEntropy>, context: AccountContext): Promise<Entropy> {
    assertNumBytesFit(body);
    assertPoolsAvailable(context, 'bandwidth');
    const draws = this.source.startDraws();
    const entropy = await this.#make(body, (bytes) => draws.draw(bytes));
    const { answer, commitment } = body.with_commitment
      ? withCommitment(entropy)
      : { answer: entropy, commitment: null };
    assertBeforeDeadline(context); // The event bills bandwidth, and no caller would receive this answer.
    await this.recorder.record(answer, { requestIds: draws.requestIds, commitment }, context);
    return answer;
  }

  async #make({ format, num_bytes }: EntropyRequest, draw: Draw): Promise<Entropy> {
    const { make, answeredBytes } = formats[format];
    const value = await make(num_bytes, draw);
    return { value, format, num_bytes: answeredBytes(num_bytes), reference_id: newId('ent_') };
  }
}

/** ENT-04: some formats have a lower bound than the contract. */
function assertNumBytesFit({ format, num_bytes }: EntropyRequest): void {
  const { numBytesMax } = formats[format];
  if (num_bytes <= numBytesMax) return;
  throw validationError({ field: 'num_bytes', message: `must be at most ${numBytesMax} for ${format}` });
}

/** Only the caller receives the opening; the service does not store it. */
function withCommitment(entropy: Entropy): { answer: Entropy; commitment: string } {
  const opening = randomBytes(OPENING_BYTES);
  const commitment = commitmentTo(entropy, opening);
  const answer = { ...entropy, opening: opening.toString('hex') };
  opening.fill(0);
  return { answer, commitment };
}

/**
 * The commitment, SHA-256 in hex, binds value, format and reference id. It reveals nothing of the value without the
 * opening, and no other value has the same commitment (docs/entropy.md says how a caller verifies it).
 */
export function commitmentTo(
  { value, format, reference_id }: Pick<Entropy, 'value' | 'format' | 'reference_id'>,
  opening: Buffer,
): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const committed = lengthPrefixed('vk/v1/entropy', reference_id, format, opening, text);
  const commitment = createHash('sha256').update(committed).digest('hex');
  committed.fill(0);
  return commitment;
}

import { randomBytes, createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assertPoolsAvailable, validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { generateEntropy, type Entropy, type EntropyRequest } from '@vaultsvc/contracts/sparks';
import { newId, lp } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../call-context.js';
import { EntropySource } from './entropy-source.js';
import { EntropyRecorder } from './entropy-recorder.js';
import { formats } from './entropy-formats.js';

@Injectable()
export class GenerateEntropy {
  constructor(
    private readonly source: EntropySource,
    private readonly trail: EntropyRecorder,
  ) {}

  @Handles(generateEntropy)
  async handle({ body }: Input<typeof generateEntropy>, context: AccountContext): Promise<Entropy> {
    assertWithinFormat(body);
    assertPoolsAvailable(context, 'bandwidth');
    const drawing = this.source.begin();
    const made = await this.#make(body, (bytes) => drawing.draw(bytes));
    const { answer, commitment } = body.with_commitment
      ? committed(made)
      : { answer: made, commitment: null };
    assertBeforeDeadline(context); // nobody's bandwidth for an answer that nobody takes
    await this.trail.tell(answer, { requestIds: drawing.requestIds, commitment }, context);
    return answer;
  }

  async #make(
    { format, num_bytes }: EntropyRequest,
    draw: (bytes: number) => Promise<Buffer>,
  ): Promise<Entropy> {
    const { make, answeredBytes } = formats[format];
    const value = await make(num_bytes, draw);
    return { value, format, num_bytes: answeredBytes(num_bytes), reference_id: newId('ent_') };
  }
}

/** ENT-04: the bound of the contract holds for all formats, some have a lower one. */
function assertWithinFormat({ format, num_bytes }: EntropyRequest): void {
  const { numBytesMax } = formats[format];
  if (num_bytes <= numBytesMax) return;
  throw validationError({ field: 'num_bytes', message: `must be at most ${numBytesMax} for ${format}` });
}

/** The opening is the caller's alone: it leaves with the answer and is kept nowhere. */
function committed(made: Entropy): { answer: Entropy; commitment: string } {
  const opening = randomBytes(OPENING_BYTES);
  const commitment = commitmentTo(made, opening);
  const answer = { ...made, opening: opening.toString('hex') };
  opening.fill(0);
  return { answer, commitment };
}

/** 256 bits: without them whoever reads the trail could try all values of a short format. */
export const OPENING_BYTES = 32;

/**
 * SHA-256 (hex) that binds value, format and reference: it tells nothing of the value to those without the opening,
 * and no other value gives the same (docs/entropy.md says how callers check it).
 */
export function commitmentTo(
  { value, format, reference_id }: Pick<Entropy, 'value' | 'format' | 'reference_id'>,
  opening: Buffer,
): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const committed = lp('vk/v1/entropy', reference_id, format, opening, text);
  const commitment = createHash('sha256').update(committed).digest('hex');
  committed.fill(0);
  return commitment;
}

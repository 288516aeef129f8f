import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assertPoolsAvailable, validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { generateEntropy, type Entropy, type EntropyRequest } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { assertAwaited } from '../spark/assert-awaited.js';
import { commitmentTo, OPENING_BYTES } from './commitment.js';
import { EntropySource } from './entropy-source.js';
import { EntropyTrail } from './entropy-trail.js';
import { formats } from './formats.js';

@Injectable()
export class GenerateEntropy {
  constructor(
    private readonly source: EntropySource,
    private readonly trail: EntropyTrail,
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
    assertAwaited(context); // nobody's bandwidth for an answer that nobody takes
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

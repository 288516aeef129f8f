import { event } from '../core/event.js';
import { EpochSeconds, IdOf, Int, Nested, OneOf, Text, TextList } from '../core/fields.js';
import { entropyFormats, type EntropyFormat } from './generate-entropy.js';

/** Where random data came from, and what it can be checked by; never the data. */
export class EntropyProvenance {
  @Text({ max: 2_048, description: 'The key by whose name key management is asked.' }) kms_key_id: string;
  @TextList({
    maxItems: 256,
    max: 128,
    description: 'What key management calls each of its answers that went in, in its own log.',
  })
  kms_request_ids: readonly string[];
  @EpochSeconds() generated_at: number;
  @Text({
    max: 64,
    nullable: true,
    description: 'SHA-256 that the value, its reference and its opening give; null: none was asked for.',
  })
  commitment: string | null;
}

/** Random data was given to a caller, whose bandwidth it draws. */
export class EntropyFact {
  @IdOf('ent') reference_id: string;
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64 }) actor_id: string;
  @OneOf(entropyFormats) format: EntropyFormat;
  @Int({ min: 1 }) num_bytes: number;
  @Int({ min: 0, description: 'Bytes of the request and of the answer (ENT-20).' }) bytes: number;
  @Nested(() => EntropyProvenance) provenance: EntropyProvenance;
}

export const entropyGenerated = event({
  name: 'sparks.entropy-generated',
  payload: EntropyFact,
  consumers: ['reporting'],
});

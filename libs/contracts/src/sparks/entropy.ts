import { Actor, ExactActor } from '../core/actor.js';
import { event } from '../core/event.js';
import { field } from '../core/field.js';
import { EpochSeconds, Flag, IdOf, Int, Nested, OneOf, Pattern, Text, TextList } from '../core/fields.js';
import { operation } from '../core/operation.js';

/** The formats of ENT-02. */
export const entropyFormats = [
  'hex',
  'base64',
  'base64url',
  'alphanumeric',
  'alphanumeric-mixed',
  'password',
  'numeric',
  'uuid',
  'bytes',
] as const;
export type EntropyFormat = (typeof entropyFormats)[number];

/** Largest `num_bytes` of a request and of a reply. */
export const ENTROPY_BYTES_MAX = 1_024;
/** Most characters of the formats that sample them from twice as many bytes. */
export const SAMPLED_CHARACTERS_MAX = 512;

/** Body of `generateEntropy`. */
export class EntropyRequest {
  @OneOf(entropyFormats, { optional: true }) format: EntropyFormat = 'hex';

  @Int({
    min: 1,
    max: ENTROPY_BYTES_MAX,
    description:
      'Bytes; for numeric, alphanumeric, alphanumeric-mixed and password characters, for the last three at most 512. uuid requires it but always uses 16 bytes.',
  })
  num_bytes: number;

  @Flag({
    optional: true,
    description:
      'Whether to record a commitment to the value in the audit trail and return the opening that proves the value later.',
  })
  with_commitment = false;
}

/** Generated random data. */
export class Entropy {
  @EntropyValue() value: string | readonly number[];
  @OneOf(entropyFormats) format: EntropyFormat;
  @Int({
    min: 1,
    max: ENTROPY_BYTES_MAX,
    description:
      'The requested number; twice that for alphanumeric, alphanumeric-mixed and password; 16 for uuid.',
  })
  num_bytes: number;
  @IdOf('ent', { description: 'Identifies this reply in the audit trail.' }) reference_id: string;
  @Pattern(/^[0-9a-f]{64}$/, {
    optional: true,
    says: '64 hexadecimal digits',
    description: 'Only with with_commitment. Store it as safely as the value: it is returned only here.',
  })
  opening?: string;
}

/** A string, or for the format `bytes` a list of numbers (ENT-13). */
function EntropyValue(): PropertyDecorator {
  const schema = {
    type: ['string', 'array'],
    items: { type: 'integer', minimum: 0, maximum: 255 },
    description: 'In the requested format; for bytes a list of numbers from 0 to 255.',
  };
  return field(schema, {}, []);
}

/**
 * Mixes random data of a hardware-backed source with random data of the service (ENT-16). There is no fallback: without
 * the source the request fails with 500. Draws the bytes of the request body and of the reply from bandwidth (ENT-20).
 */
export const generateEntropy = operation({
  name: 'sparks.generate-entropy',
  summary: 'Generates random data in one of nine formats.',
  http: { method: 'POST', path: '/v1/entropy/generate', status: 200 },
  idempotent: { id: 'reference_id', secrets: ['value'] },
  access: { credential: 'key' },
  billable: true,
  body: EntropyRequest,
  reply: Entropy,
  errors: ['ENTROPY_UNAVAILABLE'],
});

/** The source of random data and the means to verify it; never the data. */
export class EntropyProvenance {
  @Text({ max: 2_048, description: 'The key id in requests to the key management service.' })
  kms_key_id: string;
  @TextList({
    maxItems: 256,
    max: 128,
    description: 'Request ids of the key management service, by which its own log identifies its replies.',
  })
  kms_request_ids: readonly string[];
  @TextList({
    optional: true,
    maxItems: 8,
    max: 64,
    description:
      'The independent sources whose bytes were combined by XOR. Publishers of earlier releases name none.',
  })
  sources?: readonly string[];
  @EpochSeconds() generated_at: number;
  @Text({
    max: 64,
    nullable: true,
    description: 'SHA-256 over the value, its reference and its opening; null: no commitment was requested.',
  })
  commitment: string | null;
}

/** Payload of `entropyGenerated`. */
export class EntropyGeneration {
  @IdOf('ent') reference_id: string;
  @IdOf('acc') account_id: string;
  @OneOf(['api_key', 'session']) actor_type: 'api_key' | 'session';
  @Text({ max: 64 }) actor_id: string;
  @ExactActor() actor?: Actor;
  @OneOf(entropyFormats) format: EntropyFormat;
  @Int({ min: 1 }) num_bytes: number;
  @Int({ min: 0, description: 'Bytes of the request and of the reply (ENT-20).' }) bytes: number;
  @Nested(() => EntropyProvenance) provenance: EntropyProvenance;
}

/** Random data was returned to a caller, whose bandwidth it draws. */
export const entropyGenerated = event({
  name: 'sparks.entropy-generated',
  payload: EntropyGeneration,
  consumers: ['reporting'],
});

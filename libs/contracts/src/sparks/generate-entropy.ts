import { field } from '../core/field.js';
import { Flag, IdOf, Int, OneOf, Pattern } from '../core/fields.js';
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

/** The largest `num_bytes`, asked for and answered. */
export const ENTROPY_BYTES_MAX = 1_024;
/** Of the formats that sample characters from twice as many bytes. */
export const SAMPLED_CHARACTERS_MAX = 512;

export class EntropyRequest {
  @OneOf(entropyFormats, { optional: true }) format: EntropyFormat = 'hex';

  @Int({
    min: 1,
    max: ENTROPY_BYTES_MAX,
    description:
      'Bytes, or the characters of alphanumeric, alphanumeric-mixed, password (at most 512) and numeric. uuid needs it and takes 16 bytes whatever it says.',
  })
  num_bytes: number;

  @Flag({
    optional: true,
    description:
      'Keep a commitment to the value in the audit trail, and answer the opening that proves it later.',
  })
  with_commitment = false;
}

export class Entropy {
  @EntropyValue() value: string | readonly number[];
  @OneOf(entropyFormats) format: EntropyFormat;
  @Int({
    min: 1,
    max: ENTROPY_BYTES_MAX,
    description: 'As asked for; twice that for alphanumeric, alphanumeric-mixed and password; 16 for uuid.',
  })
  num_bytes: number;
  @IdOf('ent', { description: 'Names this answer in the audit trail.' }) reference_id: string;
  @Pattern(/^[0-9a-f]{64}$/, {
    optional: true,
    says: '64 hexadecimal digits',
    description: 'With with_commitment alone: keep it as you keep the value; nobody else has it.',
  })
  opening?: string;
}

/** A text, or the list of bytes for `bytes` (ENT-13). */
function EntropyValue(): PropertyDecorator {
  const schema = {
    type: ['string', 'array'],
    items: { type: 'integer', minimum: 0, maximum: 255 },
    description: 'In the format that was asked for; for bytes a list of numbers from 0 to 255.',
  };
  return field(schema, {}, []);
}

/**
 * Random data of a hardware-backed source, mixed with random data of our own (ENT-16). There is no fallback: without
 * that source the answer is 500. Draws the bytes of the request's body and of the answer's data from bandwidth (ENT-20).
 */
export const generateEntropy = operation({
  name: 'sparks.generate-entropy',
  summary: 'Gives random data in one of nine formats.',
  http: { method: 'POST', path: '/v1/entropy/generate', status: 200 },
  access: { credential: 'key' },
  billable: true,
  body: EntropyRequest,
  reply: Entropy,
  errors: ['ENTROPY_UNAVAILABLE'],
});

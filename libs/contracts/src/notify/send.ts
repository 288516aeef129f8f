import { Example, exampleOf } from '../core/example.js';
import { Flag, Int, IdOf, Name, Nested, OneOf, Pattern, Text } from '../core/fields.js';
import { ArrayMinSize, IsArray, ArrayMaxSize, ValidateBy } from 'class-validator';
import { field, type Options } from '../core/field.js';
import { MEDIA_TYPE } from '../core/media-type.js';
import { operation } from '../core/operation.js';
import {
  FRESHNESS_MINUTES_MAX,
  interactions,
  verificationLevels,
  type Interaction,
  type VerificationLevel,
} from '../sparks/grant.js';
import { notifyChannels, type NotifyChannel } from './channels.js';
import { Recipients, type RecipientInput } from './recipient.js';

/** Content of a send; each recipient gets a Spark of it (NTF-06). */
export class NotifyContent {
  @Text({
    min: 1,
    max: 2 * 1_048_576,
    raw: true,
    description: 'Text unchanged, binary content in base64. At most 256,000 bytes, else 413.',
  })
  payload: string;
  @Pattern(MEDIA_TYPE, { optional: true, max: 255, says: 'a media type such as text/plain' })
  content_type = 'text/plain';
  @Name({ max: 255, optional: true, nullable: true }) filename: string | null = null;
  @Int({ min: 1, max: 1_440, optional: true, description: 'Minutes for which the links open.' })
  ttl_minutes = 1_440;
}

/** An ingot instead of a content. The call then needs a Vault Access Token that may write. */
export class NotifyIngot {
  @IdOf('ing') ingot_id: string;
  @IdOf('vlt') vault_id: string;
}

/** The proof and the action that are asked of recipients. */
export class NotifyPolicy {
  @OneOf(verificationLevels, { optional: true }) verification_level: VerificationLevel = 'none';
  @OneOf(interactions, { optional: true }) interaction: Interaction = 'view';
  @Int({
    min: 1,
    max: FRESHNESS_MINUTES_MAX,
    optional: true,
    nullable: true,
    description: 'The greatest age, in minutes, of the verification when the content is revealed; null: any.',
  })
  reveal_freshness_minutes: number | null = null;
}

/** Most steps of an escalation. */
export const STEPS_MAX = 12;
/** Thirty days. */
const DELAY_SECONDS_MAX = 2_592_000;

/** Compares numbers only: another rule refuses other values, and an object without `toString` cannot be compared. */
function isInOrder(before: unknown, after: unknown): boolean {
  return typeof before !== 'number' || typeof after !== 'number' || before <= after;
}

/** Cumulative delays in seconds, not decreasing; the first acts as 0 (NTF-14). */
export function Delays(options: Options): PropertyDecorator {
  const items = { type: 'number', minimum: 0, maximum: DELAY_SECONDS_MAX };
  const isDelay = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) && value >= 0 && value <= DELAY_SECONDS_MAX;
  const isAscending = (value: unknown) =>
    Array.isArray(value) && value.slice(2).every((delay, index) => isInOrder(value[index + 1], delay));
  return field({ type: 'array', maxItems: STEPS_MAX, items }, options, [
    IsArray(),
    ArrayMaxSize(STEPS_MAX),
    ValidateBy(
      { name: 'delay', validator: { validate: isDelay } },
      { each: true, message: `$property must hold seconds from 0 to ${DELAY_SECONDS_MAX}` },
    ),
    ValidateBy({
      name: 'ascending',
      validator: {
        validate: isAscending,
        defaultMessage: () => '$property must not decrease after the first',
      },
    }),
  ]);
}

/** A list of channels, at least `min` (1 by default). */
export function Channels({ min = 1, ...options }: Options & { min?: number }): PropertyDecorator {
  const items = { type: 'string', enum: notifyChannels };
  return field({ type: 'array', minItems: min, maxItems: notifyChannels.length, items }, options, [
    IsArray(),
    ArrayMinSize(min),
    ArrayMaxSize(notifyChannels.length),
    ValidateBy(
      {
        name: 'channel',
        validator: { validate: (value) => (notifyChannels as readonly unknown[]).includes(value) },
      },
      { each: true, message: `$property must hold channels: ${notifyChannels.join(', ')}` },
    ),
  ]);
}

/** The steps of a send. */
export class NotifyEscalation {
  @Delays({
    description:
      'Seconds after acceptance, one for each step. A later step is sent only to those who have not opened.',
  })
  delays: number[];
}

/** A category: a printable name, which keeps its case and is compared without it (OPEN-64). */
export const CategoryField = (options: Options = {}) => Name({ ...options, max: 64 });

/** The optional id of a send. */
export const SendId = () =>
  Pattern(/^[A-Za-z0-9][A-Za-z0-9_.:-]{0,127}$/, {
    optional: true,
    max: 128,
    says: 'letters, digits, _, ., : and -',
    description: 'The idempotency key of the send. Default: a new ntsnd_ id.',
  });

/** Body of `sendNotification`. Exactly one of `content` and `ingot` (NTF-05). null stands for absent (OPEN-64). */
@Example({ content: exampleOf(NotifyContent) })
export class NewSend {
  @Recipients() recipients: RecipientInput[];
  @Nested(() => NotifyContent, { optional: true, nullable: true }) content?: NotifyContent | null;
  @Nested(() => NotifyIngot, { optional: true, nullable: true, description: 'Sends to one recipient only.' })
  ingot?: NotifyIngot | null;
  @Nested(() => NotifyPolicy, { optional: true, nullable: true }) policy?: NotifyPolicy | null;
  @Channels({
    optional: true,
    nullable: true,
    description: 'In order: the first is the primary channel. Default: the configuration.',
  })
  channels?: NotifyChannel[] | null;
  @Nested(() => NotifyEscalation, { optional: true, nullable: true }) escalation?: NotifyEscalation | null;
  @Name({ max: 200, optional: true, nullable: true, description: 'Shown in the message itself. Not sealed.' })
  title: string | null = null;
  @CategoryField({ optional: true, nullable: true }) category: string | null = null;
  @Name({ max: 64, optional: true, nullable: true, description: 'A type for display.' }) type: string | null =
    null;
  @Int({ min: 1, max: 3_650, optional: true, description: 'Days for which the send stays readable.' })
  history_ttl_days = 30;
  @SendId() send_id?: string;
}

/** An accepted send. */
@Example({ recipients: 1, idempotent: false })
export class AcceptedSend {
  @Text({ max: 128 }) send_id: string;
  @Int({ min: 1, description: 'Distinct recipients.' }) recipients: number;
  @OneOf(['pending'], { description: 'Written once, on acceptance.' }) status: 'pending';
  @Flag({ description: 'Whether this send_id existed already: nothing was sent again.' }) idempotent: boolean;
}

/**
 * Seals the content, with a Spark for each recipient, and accepts the send; channels deliver afterwards (NTF-30). Before anything
 * is sealed: 402 for an ended plan or an exhausted pool, and 429 MESSAGES_EXHAUSTED if the messages of all steps do not fit an
 * hourly budget of the account. A repeated send_id is answered before both.
 */
export const sendNotification = operation({
  name: 'notify.send',
  summary: 'Sends a sealed notification to up to 500 recipients.',
  http: { method: 'POST', path: '/v1/products/notify/send', status: 202 },
  billable: true,
  idempotent: 'by-handler',
  access: { credential: 'key', vat: 'write', vatOf: 'ingot.vault_id' },
  body: NewSend,
  reply: AcceptedSend,
  structuralCharactersMax: 16_384,
  errors: [
    'VAULT_NOT_FOUND',
    'INGOT_NOT_FOUND',
    'INGOT_NAME_AMBIGUOUS',
    'INGOT_MANAGED',
    'INGOT_NOT_READY',
    'SEND_IN_PROGRESS',
    'MESSAGES_EXHAUSTED',
  ],
});

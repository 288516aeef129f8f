import { IdOf, Int, Name, Nested, Text } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { SPARK_PAYLOAD_BYTES_MAX } from '../sparks/spark.js';
import type { NotifyChannel } from './channels.js';
import { Recipients, type RecipientInput } from './recipient.js';
import { AcceptedSend, CategoryField, Channels, SendId } from './send.js';

/** Longest history of a plaintext send, in days (NTF-26). */
export const PLAINTEXT_DAYS_MAX = 7;

/** Content that is in the message itself: `text/plain`, or a whole document of `text/html`. */
export class PlaintextContent {
  @Text({ min: 1, max: SPARK_PAYLOAD_BYTES_MAX }) payload: string;
  @Text({ max: 255 }) content_type = 'text/plain';
}

/** Body of `sendPlaintext`. */
export class NewPlaintextSend {
  @IdOf('acc') account_id: string;
  @Recipients() recipients: RecipientInput[];
  @Nested(() => PlaintextContent) content: PlaintextContent;
  @Channels({ optional: true, nullable: true }) channels: NotifyChannel[] | null = ['email'];
  @Name({ max: 200, description: 'The subject of the mail.' }) title: string;
  @CategoryField({ optional: true, nullable: true }) category: string | null = null;
  @Name({ max: 64, optional: true, nullable: true }) type: string | null = null;
  @Int({ min: 1, max: 3_650, optional: true }) history_ttl_days = PLAINTEXT_DAYS_MAX;
  @SendId() send_id?: string;
}

/**
 * Sends content in clear, for messages of this platform itself that contain no secret of an account: no route leads here
 * (NTF-24). VALIDATION_ERROR for a category that always seals, another content type than text/plain and text/html, another
 * channel than e-mail, more than 50 recipients or more than 7 days (NTF-25, NTF-26). The content is stored sealed until the
 * history of the send ends. MESSAGES_EXHAUSTED as `sendNotification`. Idempotent by `send_id`, as `sendNotification` is.
 */
export const sendPlaintext = operation({
  name: 'notify.send-plaintext',
  summary: 'Sends a mail with its content in clear to up to 50 recipients.',
  access: 'internal',
  callers: ['auth', 'reporting'],
  body: NewPlaintextSend,
  reply: AcceptedSend,
  errors: ['SEND_IN_PROGRESS', 'MESSAGES_EXHAUSTED'],
});

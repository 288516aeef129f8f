import { identityKey, payloadTooLarge, validationError, type AccountContext } from '@vaultsvc/contracts';
import { NotifyPolicy, type NewSend, type NotifyChannel } from '@vaultsvc/contracts/notify';
import { SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import type { AccountSettings } from '../settings/account-settings.js';
import { planDeliveries, type PlannedDelivery } from './delivery-plan.js';
import { distinctRecipients, type Recipient } from '../recipients/recipient.js';
import { grantIdentities, type FindEnrolled } from './grant-identity.js';

/** A valid send, before its grants exist. */
export interface SendTerms {
  readonly accountId: string;
  readonly sendId: string;
  readonly policy: Required<NotifyPolicy>;
  readonly plan: readonly PlannedDelivery[];
  readonly channels: readonly NotifyChannel[];
  readonly recipients: readonly AddressedRecipient[];
  /** Null for a send of content. */
  readonly ingotId: string | null;
  readonly title: string | null;
  readonly category: string | null;
  readonly type: string | null;
  readonly historyDays: number;
  readonly ttlSeconds: number;
}

export interface AddressedRecipient extends Recipient {
  /** The identity to prove. */
  readonly identity: string | null;
}

const INGOT_LINK_SECONDS = 86_400;

/**
 * Checks the rules that concern several fields, and resolves channels and steps: those of the request, else of the category,
 * else the default ones (NTF-12). `findEnrolled` is asked only where a passkey is the last resort. Throws VALIDATION_ERROR.
 */
export async function readTerms(
  body: NewSend,
  settings: AccountSettings,
  { credential }: AccountContext,
  findEnrolled: FindEnrolled,
): Promise<SendTerms> {
  assertOneContent(body);
  const recipients = distinctRecipients(body.recipients);
  assertIngotFits(body, recipients);
  const { category, escalation } = body;
  const policy = { ...new NotifyPolicy(), ...body.policy };
  const chosen = body.channels ?? settings.channelsFor(category);
  const plan = planDeliveries(chosen, escalation?.delays ?? settings.delays, settings.isEscalated);
  const channels = [...new Set(plan.map(({ channel }) => channel))];
  const identities = await grantIdentities(recipients, policy.verification_level, channels, findEnrolled);
  const addressed = recipients.map((recipient, index) => ({
    ...recipient,
    identity: identities[index] ?? null,
  }));
  if (policy.verification_level === 'dual_control') assertDifferentPeople(addressed);
  return {
    accountId: credential.accountId,
    sendId: body.send_id ?? newId('ntsnd_'),
    policy,
    plan,
    channels,
    recipients: addressed,
    ingotId: body.ingot?.ingot_id ?? null,
    title: body.title,
    category,
    type: body.type,
    historyDays: body.history_ttl_days,
    ttlSeconds: body.content ? body.content.ttl_minutes * 60 : INGOT_LINK_SECONDS,
  };
}

/** One person with two links would otherwise be the second person, too (OPEN-64). */
function assertDifferentPeople(recipients: readonly AddressedRecipient[]): void {
  if (recipients.length < 2)
    throw validationError({ field: 'recipients', message: 'dual_control needs a second recipient' });
  const identities = recipients.map(({ identity }) => identity && identityKey(identity));
  if (identities.some((identity, index) => identities.indexOf(identity) < index))
    throw validationError({
      field: 'recipients',
      message: 'dual_control needs an address of its own for each recipient',
    });
}

/** Throws VALIDATION_ERROR, or PAYLOAD_TOO_LARGE for a content that no Spark holds. */
function assertOneContent({ content, ingot }: NewSend): void {
  if (!content === !ingot)
    throw validationError({ field: 'content', message: 'exactly one of content and ingot must be given' });
  if (content && Buffer.byteLength(content.payload) > SPARK_PAYLOAD_BYTES_MAX)
    throw payloadTooLarge('payload', SPARK_PAYLOAD_BYTES_MAX);
}

function assertIngotFits({ ingot }: NewSend, recipients: readonly Recipient[]): void {
  if (ingot && recipients.length > 1)
    throw validationError({ field: 'recipients', message: 'an ingot is sent to one recipient only' });
}

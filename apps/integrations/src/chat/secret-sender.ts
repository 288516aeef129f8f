import { Injectable, Logger } from '@nestjs/common';
import { serviceContext, type ChatContext } from '@vaultsvc/contracts';
import type { ChatAnswer } from '@vaultsvc/contracts/integrations';
import { readPoolAvailability } from '@vaultsvc/contracts/reporting';
import { mintSparks, SPARK_PAYLOAD_BYTES_MAX } from '@vaultsvc/contracts/sparks';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';
import { appActorOf } from '../installations/app-actor.js';
import type { ConnectedInstallation } from '../installations/installation.repository.js';
import type { Submission } from './chat-interaction.js';
import { ChatSecretRepository } from './chat-secret.repository.js';
import { ChatUsageRepository } from './chat-usage.repository.js';
import { expiries, EXPIRY_MINUTES_DEFAULT, fields, inModal } from './chat-views.js';
import { ConversationCheck } from './conversation-check.js';
import { PostSecrets } from './post-secrets.job.js';

/** The platform waits three seconds for the answer to a submission. */
const ANSWER_MS = 2_400;

/**
 * Turns a submitted modal into a Spark and queues its message. What is wrong is told in the modal, which then stays open with the
 * text, so that nothing is lost.
 */
@Injectable()
export class SecretSender {
  readonly #logger = new Logger('chat');

  constructor(
    private readonly secrets: ChatSecretRepository,
    private readonly usage: ChatUsageRepository,
    private readonly posting: PostSecrets,
    private readonly conversations: ConversationCheck,
    private readonly bus: Bus,
  ) {}

  /** Undefined: the modal closes. */
  async send(
    submission: Submission,
    installation: ConnectedInstallation,
    { requestId }: ChatContext,
  ): Promise<ChatAnswer | undefined> {
    const problem = problemOf(submission);
    if (problem) return problem;
    const context = serviceContext({ requestId, deadlineMs: Date.now() + ANSWER_MS });
    try {
      const [refusal, advice] = await Promise.all([
        this.#refusalOf(installation.accountId, context),
        this.conversations.problemOf(submission.conversation, installation),
      ]);
      if (refusal !== undefined) return inModal(fields.secret.block, refusal);
      if (advice !== undefined) return inModal(fields.recipient.block, `Nothing was sent: ${advice}`);
      await this.#mint(submission, installation, context);
    } catch (error) {
      this.#logger.error({
        msg: 'a secret could not be sent',
        requestId,
        teamId: submission.teamId,
        err: error,
      });
      return inModal(
        fields.secret.block,
        'The secret could not be stored, and was not sent. Try again in a minute.',
      );
    }
    await this.usage.countCreated(installation.accountId, submission.person);
    this.posting.wake();
    return undefined;
  }

  /** Why the account may not send now (CHT-23). */
  async #refusalOf(
    account_id: string,
    context: ReturnType<typeof serviceContext>,
  ): Promise<string | undefined> {
    const pools = await this.bus.call(readPoolAvailability, { body: { account_id } }, context);
    if (pools.plan !== 'active')
      return 'PLAN_REQUIRED: sending needs an active subscription of your organization.';
    const exhausted = pools.is_storage_exhausted
      ? 'storage'
      : pools.is_bandwidth_exhausted
        ? 'bandwidth'
        : undefined;
    return exhausted && `QUOTA_EXCEEDED: the ${exhausted} of your organization is used up.`;
  }

  /** The reservation is first: if this instance dies, the Spark is deleted. */
  async #mint(
    { secret, conversation, expiry, teamId, person }: Submission,
    installation: ConnectedInstallation,
    context: ReturnType<typeof serviceContext>,
  ): Promise<void> {
    const { accountId, generation, installedBy } = installation;
    const ttlSeconds = Number(expiry || EXPIRY_MINUTES_DEFAULT) * 60;
    const sparkId = newId('spk_', shardOf(accountId));
    const characters = [...secret].length;
    const reservation = {
      sparkId,
      accountId,
      generation,
      teamId,
      channelId: conversation,
      senderId: person.id,
      characters,
    };
    await this.secrets.reserve(reservation, ttlSeconds);
    const content = Buffer.from(secret).toString('base64');
    const body = {
      account_id: accountId,
      actor_type: installedBy.userId === null ? ('api_key' as const) : ('session' as const),
      actor_id: installedBy.userId ?? installedBy.credentialId,
      actor: appActorOf(installation, person.id),
      ttl_seconds: ttlSeconds,
      sparks: [{ spark_id: sparkId, content_type: 'text/plain', content }],
    };
    const { expires_at } = await this.bus.call(mintSparks, { body }, context);
    if (!(await this.secrets.minted(sparkId, expires_at))) throw new Error('the reservation was abandoned');
  }
}

/** What is missing or too large, by block of the modal (CHT-16, CHT-17, CHT-19). */
function problemOf({ secret, conversation, expiry }: Submission): ChatAnswer | undefined {
  if (secret === '') return inModal(fields.secret.block, 'Write the secret.');
  if (Buffer.byteLength(secret) > SPARK_PAYLOAD_BYTES_MAX)
    return inModal(fields.secret.block, 'A secret has at most 250 KB.');
  if (conversation === '') return inModal(fields.recipient.block, 'Choose a person or a channel.');
  const isKnown = expiry === '' || expiries.some(([minutes]) => String(minutes) === expiry);
  return isKnown ? undefined : inModal(fields.expiry.block, 'Choose one of the listed times.');
}

import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import {
  AppError,
  serviceContext,
  validationError,
  type Input,
  type VisitContext,
} from '@vaultsvc/contracts';
import { interact, type InteractionReceipt, type NewInteraction } from '@vaultsvc/contracts/notify';
import {
  actionsOf,
  redeemInteraction,
  type InteractionAction,
  type RevealedGrant,
} from '@vaultsvc/contracts/sparks';
import { describeVersion } from '@vaultsvc/contracts/vaults';
import { SealedTexts } from '@vaultsvc/crypto/data-keys';
import { Bus, Handles } from '@vaultsvc/messaging';
import {
  InteractionRepository,
  type InteractingRecipient,
  type StoredReceipt,
} from './interaction.repository.js';
import { ReceiptSigner } from './receipt-signer.js';
import { ReplySealer } from './reply-sealer.js';

const BOUND: readonly InteractionAction[] = ['sign', 'approve', 'deny'];

/** Records an action of a recipient (NTF-46). */
@Controller()
export class Interact {
  constructor(
    private readonly interactions: InteractionRepository,
    private readonly signer: ReceiptSigner,
    private readonly replies: ReplySealer,
    private readonly texts: SealedTexts,
    private readonly bus: Bus,
  ) {}

  @Handles(interact)
  async handle({ params, body }: Input<typeof interact>, context: VisitContext): Promise<InteractionReceipt> {
    const token = { link_code: params.link_code, interaction_token: body.interaction_token };
    const grant = await this.bus.call(redeemInteraction, { body: token }, serviceContext(context));
    const recipient = await this.interactions.findRecipient(grant.link_id);
    if (!recipient) throw new AppError('LINK_NOT_FOUND');
    assertAllowed(recipient, body);
    assertBound(grant, body);
    const known = await this.interactions.find(recipient.id, body.action);
    if (known) return this.#shown(known);
    if (BOUND.includes(body.action)) await this.#assertCurrent(grant, context);
    return this.#record(recipient, grant, body, context);
  }

  /** What is signed is what was read: the version of a file must still be the one that was opened (NTF-10). */
  async #assertCurrent({ account_id, version }: RevealedGrant, context: VisitContext): Promise<void> {
    if (!version) return;
    const { vault_id, ingot_id, version_id } = version;
    const body = { account_id, vault_id, ingot_id };
    const caller = serviceContext(context);
    const current = await this.bus.call(describeVersion, { body }, caller).catch(undefinedIfDeleted);
    if (current?.version_id !== version_id) throw new AppError('INGOT_REPLACED');
  }

  async #record(
    recipient: InteractingRecipient,
    grant: RevealedGrant,
    body: NewInteraction,
    context: VisitContext,
  ): Promise<InteractionReceipt> {
    const receiptId = randomUUID();
    const at = Math.floor(Date.now() / 1_000);
    const replySparkId = await this.replies.seal(
      recipient.account_id,
      grant.link_id,
      body.reply ?? undefined,
      context,
    );
    const event = {
      account_id: recipient.account_id,
      link_id: grant.link_id,
      asset_id: recipient.asset_id,
      send_id: recipient.send_id,
      action: body.action,
      verification_level: grant.verification_level,
      verified_by: grant.verified_by,
      receipt_id: receiptId,
      at,
    };
    const actionHash = BOUND.includes(body.action) ? grant.action_hash : null;
    const { revealed_at: revealedAt, version } = grant;
    const facts = { actionHash, recipient: recipient.label, revealedAt, replySparkId, version };
    const jws = await this.signer.sign(event, facts, context);
    const sealed = await this.texts.seal([receiptId], jws);
    const level = grant.verification_level;
    const receipt = { ...sealed, id: receiptId, recipientId: recipient.id, level, at, replySparkId, event };
    if (await this.interactions.insert(receipt)) return { action: body.action, at, jws };
    return this.#decidedByOther(recipient, body.action);
  }

  /** A concurrent call was first: the same action has its receipt, another decision stands. */
  async #decidedByOther(
    { id }: InteractingRecipient,
    action: InteractionAction,
  ): Promise<InteractionReceipt> {
    const known = await this.interactions.find(id, action);
    if (!known) throw new AppError('INTERACTION_DECIDED');
    return this.#shown(known);
  }

  async #shown({ id, action, at, ...sealed }: StoredReceipt): Promise<InteractionReceipt> {
    return { action, at, jws: await this.texts.open([id], sealed) };
  }
}

/** A deleted file cannot be signed either. */
function undefinedIfDeleted(error: unknown): undefined {
  if (error instanceof AppError && error.reason === 'INGOT_NOT_FOUND') return undefined;
  throw error;
}

function assertAllowed({ interaction }: InteractingRecipient, { action, reply }: NewInteraction): void {
  if (!actionsOf[interaction].includes(action)) throw new AppError('INTERACTION_REFUSED');
  if ((action === 'reply') !== (typeof reply === 'string'))
    throw validationError({
      field: 'reply',
      message: 'reply must be given for the action reply, and for no other',
    });
}

/** The signature is bound to the content that was opened (NTF-10). */
function assertBound(
  { action_hash: expected }: RevealedGrant,
  { action, action_hash }: NewInteraction,
): void {
  if (!BOUND.includes(action)) return;
  if (typeof action_hash !== 'string')
    throw validationError({ field: 'action_hash', message: `action_hash is required for ${action}` });
  if (action_hash.toLowerCase() !== expected) throw new AppError('ACTION_HASH_MISMATCH');
}

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { Controller } from '@nestjs/common';
import {
  actorOf,
  AppError,
  assertPoolsAvailable,
  serviceContext,
  type AccountContext,
  type Input,
} from '@vaultsvc/contracts';
import { readLinkPolicy } from '@vaultsvc/contracts/auth';
import { sendNotification, type AcceptedSend, type NewSend } from '@vaultsvc/contracts/notify';
import { findPasskeys } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Bus, Handles } from '@vaultsvc/messaging';
import { ConfiguredChannels } from '../messages/configured-channels.js';
import { SettingsRepository } from '../settings/settings.repository.js';
import { MessageWaker } from '../messages/message-waker.js';
import { GrantMinter, planGrants, recallOf, type PlannedGrants } from './grant-minter.js';
import { drawFor } from './message-draw.js';
import { readTerms, type SendTerms } from './send-terms.js';
import { SendRepository, type NewDelivery, type ReservedSend } from './send.repository.js';

const LOOK_AGAIN_MS = 50;
/** Kept for the reply of this call. */
const REPLY_MS = 250;

/** Seals, then accepts; channels deliver afterwards (NTF-30). */
@Controller()
export class SendNotification {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsRepository,
    private readonly sends: SendRepository,
    private readonly minter: GrantMinter,
    private readonly channels: ConfiguredChannels,
    private readonly waker: MessageWaker,
    private readonly bus: Bus,
  ) {}

  @Handles(sendNotification)
  async handle(
    { body: given }: Input<typeof sendNotification>,
    context: AccountContext,
  ): Promise<AcceptedSend> {
    const { accountId } = context.credential;
    const body = withSendId(given, context.idempotencyKey);
    const existing = body.send_id === undefined ? undefined : await this.#existing(body.send_id, context);
    if (existing) return existing;
    const settings = await this.settings.read(accountId);
    const terms = await readTerms(body, settings, context, (asked) => this.#enrolledAmong(asked, context));
    assertPoolsAvailable(context, ...(terms.ingotId === null ? (['storage', 'bandwidth'] as const) : []));
    const grants = planGrants(terms);
    const reserved = await this.#reserve(terms, grants, context);
    if (!reserved) return this.#acceptedByOther(terms.sendId, context);
    const plan = this.#withChannels(terms.plan);
    await this.#draw(reserved, terms, plan, context);
    await this.#accept(reserved, terms, plan, grants, body, context);
    return accepted(terms.sendId, terms.recipients.length, false);
  }

  async #reserve(terms: SendTerms, grants: PlannedGrants, context: AccountContext) {
    const { accountId } = terms;
    const policy = await this.bus.call(
      readLinkPolicy,
      { body: { account_id: accountId } },
      serviceContext(context),
    );
    const recall = recallOf(terms, grants);
    return this.sends.reserve(terms, recall, policy.organization_name, context.requestId);
  }

  #withChannels(plan: SendTerms['plan']): NewDelivery[] {
    return plan.map((one) => ({ ...one, isConfigured: this.channels.has(one.channel) }));
  }

  /** Nothing is sealed yet: a send whose messages do not fit leaves nothing. */
  async #draw(
    reserved: ReservedSend,
    { accountId, recipients }: SendTerms,
    plan: readonly NewDelivery[],
    context: AccountContext,
  ): Promise<void> {
    const planned = { accountId, recipients, plan: plan.filter(({ isConfigured }) => isConfigured) };
    try {
      await drawFor(this.bus, planned, context);
    } catch (error) {
      await this.sends.cancel(reserved);
      throw error;
    }
  }

  async #enrolledAmong(identities: readonly string[], context: AccountContext): Promise<readonly string[]> {
    const body = { account_id: context.credential.accountId, identities: [...identities] };
    const caller = serviceContext(context);
    return (await this.bus.call(findPasskeys, { body }, caller)).identities;
  }

  async #accept(
    reserved: ReservedSend,
    terms: SendTerms,
    plan: readonly NewDelivery[],
    grants: PlannedGrants,
    body: NewSend,
    context: AccountContext,
  ): Promise<void> {
    try {
      const expiresAt = await this.#grant(body, grants, terms, reserved.id, context);
      await this.database.transaction(async (tx) => {
        await this.sends.accept(tx, reserved, expiresAt, actorOf(context));
        await this.sends.insertRecipients(tx, reserved, grants, plan);
        tx.afterCommit(async () => this.waker.wake());
      });
    } catch (error) {
      await this.sends.abandon(reserved);
      throw error;
    }
  }

  #grant(
    { content, ingot }: NewSend,
    grants: PlannedGrants,
    terms: SendTerms,
    groupId: string,
    context: AccountContext,
  ): Promise<number> {
    if (ingot) return this.minter.linkIngot(ingot, grants, terms, groupId, context);
    if (!content) throw new Error('a send has content or an ingot');
    return this.minter.mint(content, grants, terms, groupId, context);
  }

  /** NTF-21: waits for the call that is sealing a send with this id, whose failure frees the id. */
  async #existing(
    sendId: string,
    { credential, deadlineMs }: AccountContext,
  ): Promise<AcceptedSend | undefined> {
    for (;;) {
      const found = await this.sends.find(credential.accountId, sendId);
      if (!found) return undefined;
      if (found.state === 'accepted') return accepted(sendId, found.recipients, true);
      if (Date.now() > deadlineMs - REPLY_MS) throw new AppError('SEND_IN_PROGRESS');
      await delay(LOOK_AGAIN_MS);
    }
  }

  async #acceptedByOther(sendId: string, context: AccountContext): Promise<AcceptedSend> {
    const other = await this.#existing(sendId, context);
    if (!other) throw new AppError('SEND_IN_PROGRESS');
    return other;
  }
}

/** An Idempotency-Key takes the place of an absent send_id, which has precedence (OPEN-67). */
function withSendId(body: NewSend, key: string | undefined): NewSend {
  if (body.send_id !== undefined || key === undefined) return body;
  return { ...body, send_id: `ntsnd_${createHash('sha256').update(key).digest('hex').slice(0, 32)}` };
}

function accepted(send_id: string, recipients: number, idempotent: boolean): AcceptedSend {
  return { send_id, recipients, status: 'pending', idempotent };
}

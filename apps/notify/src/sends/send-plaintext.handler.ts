import { Controller } from '@nestjs/common';
import { serviceContext, validationError, type CallContext, type Input } from '@vaultsvc/contracts';
import { readLinkPolicy } from '@vaultsvc/contracts/auth';
import {
  NotifyPolicy,
  sendPlaintext,
  type AcceptedSend,
  type NewPlaintextSend,
} from '@vaultsvc/contracts/notify';
import { newId } from '@vaultsvc/crypto/encoding';
import type { SealedText } from '@vaultsvc/crypto/data-keys';
import { Database } from '@vaultsvc/database';
import { Bus, Handles } from '@vaultsvc/messaging';
import { MessageWaker } from '../messages/message-waker.js';
import { ConfiguredChannels } from '../messages/configured-channels.js';
import type { AccountSettings } from '../settings/account-settings.js';
import { SettingsRepository } from '../settings/settings.repository.js';
import { planDeliveries } from './delivery-plan.js';
import { drawFor } from './message-draw.js';
import { PlaintextRepository } from './plaintext.repository.js';
import { distinctRecipients } from '../recipients/recipient.js';
import { whySealed } from './sealing-mode.js';
import { SendRepository, type SendActor } from './send.repository.js';
import type { SendTerms } from './send-terms.js';

const SECONDS_PER_DAY = 86_400;

/** Services send these mails for no caller: the actor in the audit log. */
const SERVICE: SendActor = {
  actor_type: 'system',
  actor_id: null,
  actor: { kind: 'job', id: 'send-plaintext' },
};

/** Accepts sends whose content is in the mail itself. There are no grants, so one transaction reserves and accepts. */
@Controller()
export class SendPlaintext {
  constructor(
    private readonly database: Database,
    private readonly settings: SettingsRepository,
    private readonly sends: SendRepository,
    private readonly contents: PlaintextRepository,
    private readonly channels: ConfiguredChannels,
    private readonly waker: MessageWaker,
    private readonly bus: Bus,
  ) {}

  @Handles(sendPlaintext)
  async handle({ body }: Input<typeof sendPlaintext>, context: CallContext): Promise<AcceptedSend> {
    const terms = termsOf(body, await this.settings.read(body.account_id));
    const existing = await this.sends.find(terms.accountId, terms.sendId);
    if (existing) return accepted(terms.sendId, existing.recipients, true);
    await this.#draw(terms, context);
    const { payload, content_type: contentType } = body.content;
    const sealed = await this.contents.seal(terms.accountId, terms.sendId, { payload, contentType });
    const isNew = await this.#accept(terms, contentType, sealed, context);
    const recipients = isNew ? terms.recipients.length : await this.#recipientsOf(terms);
    return accepted(terms.sendId, recipients, !isNew);
  }

  /** Calls that race for one send_id draw each: only a later repetition is free. */
  #draw(terms: SendTerms, context: CallContext): Promise<void> {
    const plan = terms.plan.filter(({ channel }) => this.channels.has(channel));
    return drawFor(this.bus, { ...terms, plan }, context);
  }

  /** False if the account has a send with this id. */
  async #accept(
    terms: SendTerms,
    contentType: string,
    sealed: SealedText,
    context: CallContext,
  ): Promise<boolean> {
    const { accountId: account_id, recipients } = terms;
    const policy = await this.bus.call(readLinkPolicy, { body: { account_id } }, serviceContext(context));
    const plan = terms.plan.map((one) => ({ ...one, isConfigured: this.channels.has(one.channel) }));
    return this.database.transaction(async (tx) => {
      const grants = { account_id, link_ids: [], spark_ids: [] };
      const reserved = await this.sends.reserve(
        terms,
        grants,
        policy.organization_name,
        context.requestId,
        tx,
      );
      if (!reserved) return false;
      await this.contents.insert(tx, reserved.id, contentType, sealed);
      await this.sends.accept(tx, reserved, Math.floor(Date.now() / 1_000) + terms.ttlSeconds, SERVICE);
      const withoutGrants = recipients.map((one) => ({ ...one, linkId: null, assetId: null }));
      await this.sends.insertRecipients(tx, reserved, withoutGrants, plan);
      tx.afterCommit(async () => this.waker.wake());
      return true;
    });
  }

  async #recipientsOf({ accountId, sendId, recipients }: SendTerms): Promise<number> {
    return (await this.sends.find(accountId, sendId))?.recipients ?? recipients.length;
  }
}

function accepted(send_id: string, recipients: number, idempotent: boolean): AcceptedSend {
  return { send_id, recipients, status: 'pending', idempotent };
}

/** Throws VALIDATION_ERROR with the rule for what is always sealed (NTF-25, NTF-26). */
function termsOf(body: NewPlaintextSend, settings: AccountSettings): SendTerms {
  const recipients = distinctRecipients(body.recipients);
  const { category, content, history_ttl_days: historyDays } = body;
  const channels = body.channels ?? ['email'];
  const rule = whySealed(
    {
      category,
      hasIngot: false,
      contentType: content.content_type,
      channels,
      recipients: recipients.length,
      historyDays,
    },
    settings.configuration.security.mandatory_seal_categories,
  );
  if (rule !== undefined) throw validationError({ field: 'content', message: rule });
  return {
    accountId: body.account_id,
    sendId: body.send_id ?? newId('ntsnd_'),
    policy: { ...new NotifyPolicy() },
    plan: planDeliveries(channels, [], false),
    channels,
    recipients: recipients.map((recipient) => ({ ...recipient, identity: null })),
    ingotId: null,
    title: body.title,
    category,
    type: body.type,
    historyDays,
    ttlSeconds: historyDays * SECONDS_PER_DAY,
  };
}

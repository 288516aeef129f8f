import type { Client } from '@vaultsvc/client';
import { addressOf } from '../../ui/typed-address.js';
import { contentOf } from './content.js';
import type { Draft, SentLink } from './draft.js';

/**
 * Sends drafts. A second press after a failure goes on where the first one failed: the Spark is created once, and then shared. An edit
 * begins anew.
 */
export class SecretSender {
  #draft: Draft | undefined;
  #key = '';
  #sparkId: string | undefined;

  constructor(private readonly client: Client) {}

  /** Rejects with the refusal, or for want of an answer. */
  async send(draft: Draft): Promise<SentLink> {
    if (draft !== this.#draft) await this.#begin(draft);
    this.#sparkId ??= await this.#create(draft);
    const link = await this.#share(this.#sparkId, draft);
    this.#sparkId = undefined;
    return link;
  }

  /** The Spark of a draft that could not be shared is not left behind; if it cannot be withdrawn now, Sent shows it. */
  async #begin(draft: Draft): Promise<void> {
    const left = this.#sparkId;
    this.#draft = draft;
    this.#key = crypto.randomUUID();
    this.#sparkId = undefined;
    if (left === undefined) return;
    const params = { path: { spark_id: left } };
    await this.client.DELETE('/v1/sparks/{spark_id}', { params }).catch(() => undefined);
  }

  async #create(draft: Draft): Promise<string> {
    const content = await contentOf(draft);
    const body = { payload: '', ...content, ttl_minutes: Number(draft.lifetime) };
    const { data } = await this.client.POST('/v1/sparks', { body, idempotencyKey: this.#key });
    return data.spark_id;
  }

  async #share(id: string, { kind, audience, recipient }: Draft): Promise<SentLink> {
    const isInvited = audience === 'invite_only';
    const { data } = await this.client.PATCH('/v1/sparks/{spark_id}/share', {
      params: { path: { spark_id: id } },
      body: { visibility: audience, ...(isInvited && { invites: [addressOf(recipient) ?? recipient] }) },
      // Sharing again changes the same link.
      isRepeatable: true,
    });
    return {
      kind,
      url: data.link_url,
      expiresAt: data.expires_at,
      recipient: isInvited ? recipient : undefined,
      isTaken: false,
    };
  }
}

import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { GrantMinting, NewGrant } from '@vaultsvc/contracts/sparks';
import { InviteRepository, type NewInvite } from '../../link/invite.repository.js';
import { LinkSealer, type MintedLink } from '../../link/link-sealer.js';
import { SharedContentSealer, type SendIdentity } from '../../spark/sealing/shared-content-sealer.js';
import { newKey } from '../../spark/sealing/spark-key.js';
import type { SealedSpark } from '../../spark/sealing/spark-sealer.js';

/** Grants are sealed in slices of about 5 ms; other calls are answered in between. */
const SLICE = 50;

/** A grant, ready for its insertion. */
export interface SealedGrant {
  readonly linkId: string;
  readonly sparkId: string;
  /** Its ciphertext is the wrapped key of the content. */
  readonly spark: SealedSpark;
  readonly code: MintedLink;
  /** null for a grant that anyone with the link opens. */
  readonly invite: NewInvite | null;
}

/** The content of a send and its grants, ready for their insertion. */
export interface SealedSend {
  readonly contentId: string;
  readonly ciphertext: Buffer;
  /** In the order in which they were asked for. */
  readonly grants: readonly SealedGrant[];
}

/** Seals the content of a send once, its key for each grant, and mints the codes of their links. Throws `KmsUnavailable`. */
@Injectable()
export class GrantSealer {
  constructor(
    private readonly contents: SharedContentSealer,
    private readonly links: LinkSealer,
    private readonly invites: InviteRepository,
  ) {}

  /** The caller wipes the content. */
  async seal(minting: GrantMinting, content: Buffer): Promise<SealedSend> {
    const { account_id: accountId, group_id: groupId, content_type: contentType } = minting;
    const send = { accountId, groupId, contentType };
    const contentKey = newKey();
    try {
      const ciphertext = this.contents.sealContent(contentKey, send, content);
      const grants = await this.#sealInSlices(minting.grants, send, contentKey);
      return { contentId: randomUUID(), ciphertext, grants };
    } finally {
      contentKey.fill(0);
    }
  }

  async #sealInSlices(
    grants: readonly NewGrant[],
    send: SendIdentity,
    contentKey: Buffer,
  ): Promise<SealedGrant[]> {
    const sealed: SealedGrant[] = [];
    for (let start = 0; start < grants.length; start += SLICE) {
      if (start > 0) await setImmediate();
      sealed.push(...(await this.#sealSlice(grants.slice(start, start + SLICE), send, contentKey)));
    }
    return sealed;
  }

  async #sealSlice(
    grants: readonly NewGrant[],
    send: SendIdentity,
    contentKey: Buffer,
  ): Promise<SealedGrant[]> {
    const ids = grants.map(({ spark_id }) => spark_id);
    const sparks = await this.contents.wrapFor(ids, send, contentKey);
    return Promise.all(
      grants.map(async (grant, index) => ({
        linkId: grant.link_id,
        sparkId: grant.spark_id,
        spark: sparks[index] as SealedSpark,
        code: await this.links.mintCode({ accountId: send.accountId, assetId: grant.spark_id }),
        invite: await this.#inviteOf(grant),
      })),
    );
  }

  async #inviteOf({ link_id, identity }: NewGrant): Promise<NewInvite | null> {
    const [invite = null] = identity === null ? [] : await this.invites.seal(link_id, [identity]);
    return invite;
  }
}

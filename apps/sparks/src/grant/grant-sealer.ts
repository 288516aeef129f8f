import { Injectable } from '@nestjs/common';
import type { GrantMinting, NewGrant } from '@vaultsvc/contracts/sparks';
import { InviteRepository, type NewInvite } from '../link/invite.repository.js';
import { LinkSealer, type MintedLink } from '../link/link-sealer.js';
import { SparkSealer, type SealedSpark } from '../spark/spark-sealer.js';

/** A grant, ready for its insertion. */
export interface SealedGrant {
  readonly linkId: string;
  readonly sparkId: string;
  readonly spark: SealedSpark;
  readonly code: MintedLink;
  /** null for a grant that anyone with the link opens. */
  readonly invite: NewInvite | null;
}

/** Seals one content for each grant of a batch, and mints their link codes. Throws `KmsUnavailable`. */
@Injectable()
export class GrantSealer {
  constructor(
    private readonly sparks: SparkSealer,
    private readonly links: LinkSealer,
    private readonly invites: InviteRepository,
  ) {}

  /** In the order of the grants. The caller wipes the content. */
  async seal(minting: GrantMinting, content: Buffer): Promise<SealedGrant[]> {
    const { account_id: accountId, content_type: contentType, grants } = minting;
    const spark = { accountId, contentType, kindling: null };
    const sealed = await this.sparks.sealMany(
      grants.map(({ spark_id: id }) => ({ spark: { ...spark, id }, content })),
    );
    return Promise.all(
      grants.map(async (grant, index) => ({
        linkId: grant.link_id,
        sparkId: grant.spark_id,
        spark: sealed[index] as SealedSpark,
        code: await this.links.mintCode({ accountId, assetId: grant.spark_id }),
        invite: await this.#inviteOf(grant),
      })),
    );
  }

  async #inviteOf({ link_id, identity }: NewGrant): Promise<NewInvite | null> {
    const [invite = null] = identity === null ? [] : await this.invites.seal(link_id, [identity]);
    return invite;
  }
}

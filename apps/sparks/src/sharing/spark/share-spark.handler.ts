import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { shareSpark, type SharedSpark, type SparkSharing } from '@vaultsvc/contracts/sparks';
import { retryOnConflict } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../../config.js';
import { InviteRepository } from '../../link/invite.repository.js';
import { causeOfCall } from '../../link/link-events-sql.js';
import { LinkSealer } from '../../link/link-sealer.js';
import { LinkRepository, type LinkRow } from '../../link/link.repository.js';
import { LinkTermsRepository } from './link-terms.repository.js';
import { SparkShareRepository } from './spark-share.repository.js';

/** Shares a Spark, or changes who may open its existing link. */
@Controller()
export class ShareSpark {
  constructor(
    private readonly shares: SparkShareRepository,
    private readonly terms: LinkTermsRepository,
    private readonly links: LinkRepository,
    private readonly sealer: LinkSealer,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
  ) {}

  @Handles(shareSpark)
  async handle({ params, body }: Input<typeof shareSpark>, context: AccountContext): Promise<SharedSpark> {
    assertInvitesFit(body);
    const { accountId } = context.credential;
    return retryOnConflict(async () => {
      await this.shares.assertShareable(params.spark_id, accountId);
      const link = await this.links.findManaged(params.spark_id, accountId);
      // A link that has expired stays closed: sharing again makes another one (AMB-36).
      return link && !link.is_expired
        ? this.#change(link, body, context)
        : this.#create(params.spark_id, body, context);
    });
  }

  async #create(
    sparkId: string,
    { visibility, invites, expires_in_seconds: ttlSeconds }: SparkSharing,
    context: AccountContext,
  ): Promise<SharedSpark> {
    const { accountId } = context.credential;
    const linkId = randomUUID();
    const [minted, { added }] = await Promise.all([
      this.sealer.mintCode({ accountId, assetId: sparkId }),
      this.invites.diff(linkId, [], invites),
    ]);
    const share = { linkId, sparkId, accountId, minted, visibility, invites: added, ttlSeconds };
    const times = await this.shares.create(share, causeOfCall(context));
    const identities = added.map(({ identity }) => identity);
    return this.#answer(minted.code, visibility, identities, times, false);
  }

  /** The code and the expiry stay (SPK-43, SPK-45). */
  async #change(
    link: LinkRow,
    { visibility, invites: requested }: SparkSharing,
    context: AccountContext,
  ): Promise<SharedSpark> {
    const [code, invites] = await Promise.all([
      this.sealer.openCode(link),
      this.#inviteChange(link, requested),
    ]);
    await this.terms.change(link, { visibility, invites: invites.change }, causeOfCall(context));
    const times = { created_at: link.created_at, expires_at: link.expires_at as number };
    return this.#answer(code, visibility, invites.identities, times, true);
  }

  async #inviteChange(link: LinkRow, requested: readonly string[]) {
    const current = await this.invites.findByLink(link.id);
    const change = await this.invites.diff(link.id, current, requested);
    const kept = current.filter((invite) => !change.removed.includes(invite));
    return { change, identities: [...kept, ...change.added].map(({ identity }) => identity) };
  }

  #answer(
    code: string,
    visibility: SharedSpark['visibility'],
    invites: string[],
    { created_at, expires_at }: Pick<SharedSpark, 'created_at' | 'expires_at'>,
    wasShared: boolean,
  ): SharedSpark {
    const url = this.config.linkUrl('link', code);
    return {
      shared: true,
      link_url: url,
      share_url: url,
      link_code: code,
      visibility,
      invites,
      expires_at,
      created_at,
      already_shared: wasShared,
    };
  }
}

/**
 * Rejects invites with any other visibility: the caller means to exclude everyone else, and the visibility would not.
 * `invite_only` without invites is accepted (SPK-40: default empty); no visitor can open the link until a later call
 * invites one.
 */
function assertInvitesFit({ visibility, invites }: SparkSharing): void {
  if (invites.length > 0 && visibility !== 'invite_only')
    throw validationError({ field: 'invites', message: 'invites is for visibility invite_only only' });
}

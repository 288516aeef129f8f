import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { validationError, type AccountContext, type Input } from '@vaultsvc/contracts';
import { shareSpark, type SharedSpark, type SparkSharing } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { InviteRepository } from '../link/invite.repository.js';
import { LinkCodes } from '../link/link-codes.js';
import { causeOfCall } from '../link/link-events-sql.js';
import { linkUrl } from '../link/link-url.js';
import { LinkRepository, type LinkRow } from '../link/link.repository.js';
import { retried } from './retried.js';
import { SparkShareRepository } from './spark-share.repository.js';
import { LinkTermsRepository } from './link-terms.repository.js';

/** Shares a Spark, or changes who may open the link that it has. */
@Injectable()
export class ShareSpark {
  constructor(
    private readonly shares: SparkShareRepository,
    private readonly terms: LinkTermsRepository,
    private readonly links: LinkRepository,
    private readonly codes: LinkCodes,
    private readonly invites: InviteRepository,
    private readonly config: SparksConfig,
  ) {}

  @Handles(shareSpark)
  async handle({ params, body }: Input<typeof shareSpark>, context: AccountContext): Promise<SharedSpark> {
    assertInvitesFit(body);
    const { accountId } = context.credential;
    return retried(async () => {
      await this.shares.assertShareable(params.spark_id, accountId);
      const link = await this.links.findManaged(params.spark_id, accountId);
      return link ? this.#change(link, body, context) : this.#make(params.spark_id, body, context);
    });
  }

  async #make(
    sparkId: string,
    { visibility, invites, expires_in_seconds: lifeSeconds }: SparkSharing,
    context: AccountContext,
  ): Promise<SharedSpark | undefined> {
    const { accountId } = context.credential;
    const linkId = randomUUID();
    const [minted, change] = await Promise.all([
      this.codes.mint({ accountId, assetId: sparkId }),
      this.invites.change(linkId, [], invites),
    ]);
    const share = { linkId, sparkId, accountId, minted, visibility, invites: change.added, lifeSeconds };
    const times = await this.shares.make(share, causeOfCall(context));
    if (!times) return undefined;
    const named = change.added.map(({ identity }) => identity);
    return this.#answer(minted.code, visibility, named, times, false);
  }

  /** The code and the end stay as they are (SPK-43, SPK-45). */
  async #change(
    link: LinkRow,
    { visibility, invites: wanted }: SparkSharing,
    context: AccountContext,
  ): Promise<SharedSpark | undefined> {
    const [code, invites] = await Promise.all([this.codes.openOne(link), this.#changeOf(link, wanted)]);
    if (!(await this.terms.change(link, { visibility, invites: invites.change }, causeOfCall(context))))
      return undefined;
    const times = { created_at: link.created_at, expires_at: link.expires_at as number };
    return this.#answer(code, visibility, invites.named, times, true);
  }

  async #changeOf(link: LinkRow, wanted: readonly string[]) {
    const current = await this.invites.ofOne(link.id);
    const change = await this.invites.change(link.id, current, wanted);
    const kept = current.filter((invite) => !change.dropped.includes(invite));
    return { change, named: [...kept, ...change.added].map(({ identity }) => identity) };
  }

  #answer(
    code: string,
    visibility: SharedSpark['visibility'],
    invites: string[],
    { created_at, expires_at }: Pick<SharedSpark, 'created_at' | 'expires_at'>,
    wasShared: boolean,
  ): SharedSpark {
    return {
      shared: true,
      share_url: linkUrl(this.config, 'link', code),
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
 * Whoever names somebody means that nobody else may open it: with another visibility anyone could. The other way round,
 * invite_only with nobody named, is taken (SPK-40: default empty): it is closed until a later call names somebody.
 */
function assertInvitesFit({ visibility, invites }: SparkSharing): void {
  if (invites.length > 0 && visibility !== 'invite_only')
    throw validationError({ field: 'invites', message: 'invites is for visibility invite_only only' });
}

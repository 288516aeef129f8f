import { Injectable } from '@nestjs/common';
import type { SparkLink, SparkLinkSummary } from '@vaultsvc/contracts/sparks';
import type { AccountContext, ActorSummary } from '@vaultsvc/contracts';
import { SparksConfig } from '../config.js';
import { CreatorPresenter } from '../creators/creator-presenter.js';
import { channelOf } from './channel-of-identity.js';
import { InviteRepository, type Invite } from './invite.repository.js';
import { LinkSealer, type SealedLinkText } from './link-sealer.js';
import type { LinkRow } from './link.repository.js';

/** The opened values of a link that its owner sees. */
interface OpenedLink {
  readonly code: string;
  readonly invites: readonly Invite[];
  readonly verifiedBy: string | undefined;
}

/** Opens the sealed values of links and formats links for the API. */
@Injectable()
export class LinkPresenter {
  constructor(
    private readonly invites: InviteRepository,
    private readonly sealer: LinkSealer,
    private readonly creators: CreatorPresenter,
    private readonly config: SparksConfig,
  ) {}

  /** The form of lists: invites are identities only (LNK-04). */
  async summarize(rows: readonly LinkRow[], context: AccountContext): Promise<SparkLinkSummary[]> {
    const [opened, creators] = await Promise.all([
      this.open(rows),
      this.creators.present(rows, context.credential.accountId, context),
    ]);
    return rows.map((row) => {
      const link = opened.get(row.id) as OpenedLink;
      return {
        ...this.#fieldsOf(row, link, creators.get(row.id)),
        invites: link.invites.map(({ identity }) => identity),
      };
    });
  }

  /** The form of a single link: invites have a type (LNK-04). */
  async describe(row: LinkRow, context: AccountContext): Promise<SparkLink> {
    const [opened, creators] = await Promise.all([
      this.open([row]),
      this.creators.present([row], context.credential.accountId, context),
    ]);
    const link = opened.get(row.id) as OpenedLink;
    const invites = link.invites.map(({ identity }) => ({ identity, type: channelOf(identity) }));
    return { ...this.#fieldsOf(row, link, creators.get(row.id)), invites };
  }

  /** By the link's id. One query, and one read of each data key, however many links there are. */
  async open(rows: readonly LinkRow[]): Promise<ReadonlyMap<string, OpenedLink>> {
    const verified = rows.flatMap(sealedVerifierOf);
    const [codes, invites, verifiers] = await Promise.all([
      this.sealer.openCodes(rows),
      this.invites.findByLinks(rows.map(({ id }) => id)),
      this.sealer.openTexts(verified),
    ]);
    const verifiedBy = new Map(verified.map(({ linkId }, index) => [linkId, verifiers[index]]));
    return new Map(
      rows.map(({ id }) => [
        id,
        {
          code: codes.get(id) as string,
          invites: invites.get(id) ?? [],
          verifiedBy: verifiedBy.get(id),
        },
      ]),
    );
  }

  #fieldsOf(
    row: LinkRow,
    { code, verifiedBy }: OpenedLink,
    creator: ActorSummary | undefined,
  ): Omit<SparkLinkSummary, 'invites'> {
    return {
      link_id: row.id,
      link_code: code,
      link_url: this.config.linkUrl(row.domain, code),
      link_type: row.link_type,
      asset_id: row.asset_id,
      ...(row.vault_id !== null && { vault_id: row.vault_id }),
      visibility: row.visibility,
      status: row.status,
      ...(row.bound_ip !== null && { bound_ip: row.bound_ip }),
      ...(row.session_length !== null && { session_length: row.session_length }),
      expires_at: row.expires_at,
      created_at: row.created_at,
      ...(creator && { created_by: creator }),
      ...(row.label !== null && { label: row.label }),
      ...(verifiedBy !== undefined && { verified_by: verifiedBy }),
      ...(row.verified_at !== null && { verified_at: row.verified_at }),
    };
  }
}

function sealedVerifierOf({ id, verified_kid, verified_by }: LinkRow): SealedLinkText[] {
  if (verified_kid === null || verified_by === null) return [];
  return [{ linkId: id, kid: verified_kid, sealed: verified_by }];
}

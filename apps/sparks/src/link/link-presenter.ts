import { Injectable } from '@nestjs/common';
import type { SparkLink, SparkLinkSummary } from '@vaultsvc/contracts/sparks';
import { SparksConfig } from '../config.js';
import { channelOf } from '../message/message-queue.js';
import { InviteRepository, type Invite } from './invite.repository.js';
import { LinkCodes } from './link-codes.js';
import { LinkSeal, type SealedText } from './link-seal.js';
import { linkUrl } from './link-url.js';
import type { LinkRow } from './link.repository.js';

/** Everything about a link that its owner is shown, in clear. */
interface OpenedLink {
  readonly code: string;
  readonly invites: readonly Invite[];
  readonly verifiedBy: string | undefined;
}

/** Opens what is sealed of links and writes them as the API does. */
@Injectable()
export class LinkPresenter {
  constructor(
    private readonly codes: LinkCodes,
    private readonly invites: InviteRepository,
    private readonly seal: LinkSeal,
    private readonly config: SparksConfig,
  ) {}

  /** As lists show them: invites are identities alone (LNK-04). */
  async summarize(rows: readonly LinkRow[]): Promise<SparkLinkSummary[]> {
    const opened = await this.open(rows);
    return rows.map((row) => {
      const link = opened.get(row.id) as OpenedLink;
      return { ...this.#factsOf(row, link), invites: link.invites.map(({ identity }) => identity) };
    });
  }

  /** As one is shown: invites tell how they are reached (LNK-04). */
  async describe(row: LinkRow): Promise<SparkLink> {
    const link = (await this.open([row])).get(row.id) as OpenedLink;
    const invites = link.invites.map(({ identity }) => ({ identity, type: channelOf(identity) }));
    return { ...this.#factsOf(row, link), invites };
  }

  /** By the link's id. One question to the database, and one to each data key, however many links there are. */
  async open(rows: readonly LinkRow[]): Promise<ReadonlyMap<string, OpenedLink>> {
    const verified = rows.flatMap(verifierOf);
    const [codes, invites, verifiers] = await Promise.all([
      this.codes.openAll(rows.map(sealedOf)),
      this.invites.of(rows.map(({ id }) => id)),
      this.seal.open(verified),
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

  #factsOf(row: LinkRow, { code, verifiedBy }: OpenedLink): Omit<SparkLinkSummary, 'invites'> {
    return {
      link_code: code,
      link_url: linkUrl(this.config, row.domain, code),
      link_type: row.link_type,
      asset_id: row.asset_id,
      ...(row.vault_id !== null && { vault_id: row.vault_id }),
      visibility: row.visibility,
      status: row.status,
      ...(row.bound_ip !== null && { bound_ip: row.bound_ip }),
      ...(row.session_length !== null && { session_length: row.session_length }),
      expires_at: row.expires_at,
      created_at: row.created_at,
      ...(verifiedBy !== undefined && { verified_by: verifiedBy }),
      ...(row.verified_at !== null && { verified_at: row.verified_at }),
    };
  }
}

function sealedOf({ id, account_id, asset_id, kid, sealed_code }: LinkRow) {
  return { linkId: id, accountId: account_id, assetId: asset_id, kid, sealedCode: sealed_code };
}

function verifierOf({ id, verified_kid, verified_by }: LinkRow): SealedText[] {
  if (verified_kid === null || verified_by === null) return [];
  return [{ linkId: id, kid: verified_kid, sealed: verified_by }];
}

import { Injectable } from '@nestjs/common';
import type { ActorSummary, CallContext } from '@vaultsvc/contracts';
import type { PositionedSpark, Spark } from '@vaultsvc/contracts/sparks';
import { SparksConfig } from '../config.js';
import { CreatorPresenter } from '../creators/creator-presenter.js';
import { LinkSealer, type SealedCodeRow } from '../link/link-sealer.js';
import { kindOf } from './sealing/content.js';
import { SparkListRepository, type SparkListing, type SparkRow } from './spark-list.repository.js';

/** Lists the Sparks of this database, as an account sees them. */
@Injectable()
export class SparkLister {
  constructor(
    private readonly sparks: SparkListRepository,
    private readonly sealer: LinkSealer,
    private readonly creators: CreatorPresenter,
    private readonly config: SparksConfig,
  ) {}

  /** Newest first: one more than the limit, if there are more. */
  async list(
    listing: SparkListing,
    accountId: string,
    context: CallContext,
  ): Promise<readonly PositionedSpark[]> {
    const rows = await this.sparks.list(accountId, listing);
    const own = rows.filter((row) => row.account_id === accountId);
    const [codes, creators] = await Promise.all([
      this.sealer.openCodes(rows.flatMap(sealedCodeOf)),
      this.creators.present(own, accountId, context),
    ]);
    return rows.map((row) => ({
      created_at: row.position,
      spark: {
        ...this.#summarize(row, codes.get(row.link_id ?? '')),
        ...(row.account_id === accountId && noteOf(row, creators.get(row.id))),
      },
    }));
  }

  #summarize(row: SparkRow, code: string | undefined): Spark {
    return {
      spark_id: row.id,
      account_id: row.account_id,
      content_type: row.content_type,
      ...(row.filename !== null && { filename: row.filename }),
      status: row.status,
      size_bytes: row.size_bytes,
      ttl_minutes: row.ttl_minutes,
      created_at: row.created_at,
      expires_at: row.expires_at,
      burned_at: row.burned_at,
      time_remaining: row.time_remaining,
      ...(row.kindling !== null && { kindling: row.kindling }),
      ...(code !== undefined && { link_url: this.config.linkUrl('link', code), link_code: code }),
    };
  }
}

/** The members that only the account of the Spark sees. */
function noteOf({ label }: SparkRow, creator: ActorSummary | undefined): Pick<Spark, 'label' | 'created_by'> {
  return { ...(label !== null && { label }), ...(creator && { created_by: creator }) };
}

/** Only link Sparks show their link: other accounts see a group's list, and must not see the shares of its Sparks. */
function sealedCodeOf({
  id,
  account_id,
  content_type,
  link_id,
  link_kid,
  link_sealed_code,
}: SparkRow): SealedCodeRow[] {
  if (link_id === null || link_kid === null || link_sealed_code === null) return [];
  if (kindOf(content_type) !== 'link') return [];
  return [{ id: link_id, asset_id: id, account_id, kid: link_kid, sealed_code: link_sealed_code }];
}

import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { listSparks, type SparkList, type Spark } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { LinkSealer, type SealedCodeRow } from '../link/link-sealer.js';
import { kindOf } from './sealing/content.js';
import { SparkListRepository, type SparkRow } from './spark-list.repository.js';

@Controller()
export class ListSparks {
  constructor(
    private readonly sparks: SparkListRepository,
    private readonly sealer: LinkSealer,
    private readonly config: SparksConfig,
  ) {}

  @Handles(listSparks)
  async handle({ query }: Input<typeof listSparks>, context: AccountContext): Promise<SparkList> {
    const { rows, ...page } = await this.sparks.list(context.credential.accountId, query);
    const codes = await this.sealer.openCodes(rows.flatMap(sealedCodeOf));
    return { sparks: rows.map((row) => this.#summarize(row, codes.get(row.link_id ?? ''))), ...page };
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

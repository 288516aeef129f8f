import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readShare, type SparkShare } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkRepository } from '../../link/link.repository.js';
import { LinkPresenter } from '../../link/link-presenter.js';
import { SparkShareRepository } from './spark-share.repository.js';

/** A consumed link is still returned; a revoked one is not (AMB-36). */
@Controller()
export class ReadShare {
  constructor(
    private readonly shares: SparkShareRepository,
    private readonly links: LinkRepository,
    private readonly presenter: LinkPresenter,
  ) {}

  @Handles(readShare)
  async handle({ params }: Input<typeof readShare>, context: AccountContext): Promise<SparkShare> {
    const { accountId } = context.credential;
    await this.shares.assertOwn(params.spark_id, accountId);
    const row = await this.links.findManaged(params.spark_id, accountId);
    const [link] = await this.presenter.summarize(row ? [row] : [], context);
    if (!link) return { shared: false, spark_id: params.spark_id };
    return {
      shared: true,
      spark_id: params.spark_id,
      link_url: link.link_url,
      share_url: link.link_url,
      link_code: link.link_code,
      visibility: link.visibility,
      invites: link.invites,
      status: link.status,
      expires_at: link.expires_at as number,
      created_at: link.created_at,
    };
  }
}

import { Controller } from '@nestjs/common';
import type { CallContext, Input } from '@vaultsvc/contracts';
import { sealSend, type GrantMinting, type MintedGrants } from '@vaultsvc/contracts/sparks';
import { Database } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { assertBeforeDeadline } from '../../call-context.js';
import { assertGrantsFit, grantContentOf } from './grant-content.js';
import { GrantRecallRepository } from './grant-recall.repository.js';
import { GrantSealer, type SealedSend } from './grant-sealer.js';
import { GrantRepository } from './grant.repository.js';

/** Mints the grants of a send (NTF-06, NTF-28). It sends nothing: notify delivers the links. */
@Controller()
export class SealSend {
  constructor(
    private readonly sealer: GrantSealer,
    private readonly grants: GrantRepository,
    private readonly recalls: GrantRecallRepository,
    private readonly database: Database,
  ) {}

  @Handles(sealSend)
  async handle({ body }: Input<typeof sealSend>, context: CallContext): Promise<MintedGrants> {
    assertGrantsFit(body);
    const { sealed, sizeBytes } = await this.#sealed(body);
    assertBeforeDeadline(context);
    const expires_at = await this.grants.insert(sealed, { ...body, sizeBytes }, context.requestId);
    await this.#recallAfterDeadline(body, context);
    return { expires_at };
  }

  async #sealed(minting: GrantMinting): Promise<{ sealed: SealedSend; sizeBytes: number }> {
    const content = grantContentOf(minting);
    try {
      return { sealed: await this.sealer.seal(minting, content), sizeBytes: content.length };
    } finally {
      content.fill(0);
    }
  }

  /** Past its deadline the caller takes the grants for failed, and nobody would open their links. */
  async #recallAfterDeadline({ account_id, grants }: GrantMinting, context: CallContext): Promise<void> {
    try {
      assertBeforeDeadline(context);
    } catch (error) {
      const link_ids = grants.map(({ link_id }) => link_id);
      const spark_ids = grants.map(({ spark_id }) => spark_id);
      await this.database.transaction((tx) =>
        this.recalls.recall(tx, { account_id, link_ids, spark_ids }, context.requestId),
      );
      throw error;
    }
  }
}

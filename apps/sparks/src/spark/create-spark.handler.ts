import { Controller } from '@nestjs/common';
import { assertPoolsAvailable, type AccountContext, type Input } from '@vaultsvc/contracts';
import { createSpark, type NewSpark, type CreatedSpark } from '@vaultsvc/contracts/sparks';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../config.js';
import { readBoundIp } from '../link/bound-ip.js';
import { KindlingJoiner } from '../kindling/kindling-joiner.js';
import { LinkSealer } from '../link/link-sealer.js';
import type { SparkIdentity } from './sealing/spark-key.js';
import { SparkSealer } from './sealing/spark-sealer.js';
import { readContent, type Content } from './sealing/content.js';
import type { SparkInsert } from './spark-insert.js';
import { SparkRepository } from './spark.repository.js';

@Controller()
export class CreateSpark {
  constructor(
    private readonly sparks: SparkRepository,
    private readonly sealer: SparkSealer,
    private readonly linkSealer: LinkSealer,
    private readonly kindlings: KindlingJoiner,
    private readonly config: SparksConfig,
  ) {}

  @Handles(createSpark)
  async handle({ body }: Input<typeof createSpark>, context: AccountContext): Promise<CreatedSpark> {
    const content = readContent(body.payload, body.content_type);
    const boundIp = readBoundIp(body.bound_ip, content.kind === 'link');
    await this.#assertPayable(body, context);
    if (body.kindling !== undefined) await this.kindlings.joinIfElsewhere(body.kindling, context);
    const spark = await this.#make(body, content, boundIp, context.credential.accountId);
    const times = await this.sparks.create(spark, context);
    return this.#answer(spark, times);
  }

  /** KINDLING_NOT_FOUND takes precedence over an exhausted pool (AMB-13); the insert checks the group again. */
  async #assertPayable({ kindling }: NewSpark, context: AccountContext): Promise<void> {
    try {
      assertPoolsAvailable(context, 'storage', 'bandwidth');
    } catch (error) {
      if (kindling !== undefined) await this.kindlings.assertExists(kindling, context);
      throw error;
    }
  }

  async #make(
    body: NewSpark,
    content: Content,
    boundIp: string | null,
    accountId: string,
  ): Promise<SparkInsert> {
    const identity = {
      id: newId('spk_', shardOf(accountId)),
      accountId,
      contentType: body.content_type,
      kindling: kindlingOf(body, accountId),
    };
    const [sealed, link] = await Promise.all([
      this.#sealed(identity, content),
      this.#link(identity, content, boundIp),
    ]);
    return {
      ...identity,
      ...sealed,
      filename: body.filename,
      label: body.label ?? null,
      sizeBytes: content.bytes.length,
      ttlMinutes: body.ttl_minutes,
      startsKindling: body.kindling === undefined && body.with_kindling,
      joinsKindling: body.kindling !== undefined && !this.kindlings.isElsewhere(body.kindling),
      link,
    };
  }

  #sealed(spark: SparkIdentity, { bytes }: Content) {
    return this.sealer.seal(spark, bytes).finally(() => bytes.fill(0));
  }

  async #link(
    { id, accountId }: SparkIdentity,
    { kind }: Content,
    boundIp: string | null,
  ): Promise<SparkInsert['link']> {
    return kind === 'link'
      ? { ...(await this.linkSealer.mintCode({ accountId, assetId: id })), boundIp }
      : null;
  }

  #answer(
    { id, sizeBytes, ttlMinutes, filename, label, kindling, link }: SparkInsert,
    times: Pick<CreatedSpark, 'created_at' | 'expires_at'>,
  ): CreatedSpark {
    return {
      spark_id: id,
      size_bytes: sizeBytes,
      status: 'active',
      created_at: times.created_at,
      expires_at: times.expires_at,
      ttl_minutes: ttlMinutes,
      ...(filename !== null && { filename }),
      ...(label !== null && { label }),
      ...(kindling !== null && { kindling }),
      ...(link && { link_url: this.config.linkUrl('link', link.code), link_code: link.code }),
    };
  }
}

/** `kindling` takes precedence over `with_kindling` (AMB-08). */
function kindlingOf({ kindling, with_kindling }: NewSpark, accountId: string): string | null {
  return kindling ?? (with_kindling ? newId('kdl_', shardOf(accountId)) : null);
}

import { Injectable } from '@nestjs/common';
import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import { mintSparks } from '@vaultsvc/contracts/sparks';
import { newId, shardOf } from '@vaultsvc/crypto/encoding';
import { Bus } from '@vaultsvc/messaging';

const REPLY_SECONDS = 86_400;

/** Seals replies of recipients as Sparks of the sender's account, which reads them once within 24 hours. */
@Injectable()
export class ReplySealer {
  constructor(private readonly bus: Bus) {}

  /** Returns the Spark's id; null without a reply. A reply whose receipt is not stored is read by nobody, and expires. */
  async seal(
    account_id: string,
    linkId: string,
    reply: string | undefined,
    context: Pick<CallContext, 'requestId' | 'deadlineMs'>,
  ): Promise<string | null> {
    if (reply === undefined) return null;
    const spark_id = newId('spk_', shardOf(account_id));
    const content = Buffer.from(reply).toString('base64');
    const sparks = [{ spark_id, content_type: 'text/plain', content }];
    const actor = { actor_type: 'link', actor_id: linkId } as const;
    const body = { account_id, ...actor, ttl_seconds: REPLY_SECONDS, sparks };
    await this.bus.call(mintSparks, { body }, serviceContext(context));
    return spark_id;
  }
}

import { Injectable } from '@nestjs/common';
import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import { signReceipts } from '@vaultsvc/contracts/auth';
import type { RecipientInteraction } from '@vaultsvc/contracts/notify';
import { Bus } from '@vaultsvc/messaging';

/** The facts of a receipt besides those of its event. */
export interface ReceiptFacts {
  readonly actionHash: string | null;
  readonly recipient: string;
  readonly revealedAt: number;
  readonly replySparkId: string | null;
}

/** Has auth sign receipts (NTF-27). The claims name who did what to which content, under which proof, and when. */
@Injectable()
export class ReceiptSigner {
  constructor(private readonly bus: Bus) {}

  /** Returns a compact JWS. */
  async sign(
    event: RecipientInteraction,
    { actionHash, recipient, revealedAt, replySparkId }: ReceiptFacts,
    { requestId, deadlineMs }: Pick<CallContext, 'requestId' | 'deadlineMs'>,
  ): Promise<string> {
    const claims = {
      jti: event.receipt_id,
      sub: recipient,
      account_id: event.account_id,
      send_id: event.send_id,
      asset_id: event.asset_id,
      action: event.action,
      action_hash: actionHash,
      verification_level: event.verification_level,
      verified_by: event.verified_by,
      revealed_at: revealedAt,
      at: event.at,
      reply_spark_id: replySparkId,
    };
    const body = { receipts: [{ claims_json: JSON.stringify(claims) }] };
    const { receipts } = await this.bus.call(signReceipts, { body }, serviceContext(requestId, deadlineMs));
    const [signed] = receipts;
    if (!signed) throw new Error('auth returned no receipt');
    return signed.jws;
  }
}

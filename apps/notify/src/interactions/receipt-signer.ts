import { Injectable } from '@nestjs/common';
import { serviceContext, type CallContext } from '@vaultsvc/contracts';
import { signReceipts } from '@vaultsvc/contracts/auth';
import type { RecipientInteraction } from '@vaultsvc/contracts/notify';
import type { RevealedVersion } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';

/** The facts of a receipt besides those of its event. */
export interface ReceiptFacts {
  readonly actionHash: string | null;
  readonly recipient: string;
  readonly revealedAt: number;
  readonly replySparkId: string | null;
  /** The version of an ingot that was opened; null or absent for a content. */
  readonly version?: RevealedVersion | null;
}

/** Has auth sign receipts (NTF-27). The claims name who did what to which content, under which proof, and when. */
@Injectable()
export class ReceiptSigner {
  constructor(private readonly bus: Bus) {}

  /** Returns a compact JWS. */
  async sign(
    event: RecipientInteraction,
    { actionHash, recipient, revealedAt, replySparkId, version }: ReceiptFacts,
    context: Pick<CallContext, 'requestId' | 'deadlineMs'>,
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
      ...(version && versionClaims(version)),
    };
    const body = { receipts: [{ claims_json: JSON.stringify(claims) }] };
    const { receipts } = await this.bus.call(signReceipts, { body }, serviceContext(context));
    const [signed] = receipts;
    if (!signed) throw new Error('auth returned no receipt');
    return signed.jws;
  }
}

/** `asset_id` is the ingot. The hash lets anybody who has the file tell whether it is the one of the receipt (OPEN-64). */
function versionClaims({ vault_id, version_id, size_bytes, content_hash = null }: RevealedVersion) {
  return { vault_id, version_id, size_bytes, content_hash };
}

import { Injectable } from '@nestjs/common';
import type { VisitContext } from '@vaultsvc/contracts';
import type { LinkAccess } from '@vaultsvc/contracts/sparks';
import { normalizeIp } from '../link/bound-ip.js';
import { LinkSealer, type SealedText } from '../link/link-sealer.js';
import type { VisitedLink } from './visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/** The prepared record of one opening. */
export interface Access {
  readonly link: VisitedLink;
  readonly proof: Proof | null;
  /** `proof.identity`, sealed for the link's row (LNK-17). */
  readonly verifiedBy: SealedText | null;
  readonly payload: LinkAccess;
  readonly requestId: string;
  readonly deadlineMs: number;
}

/** Prepares the record of an opening before its transaction, which must not wait for a data key. */
@Injectable()
export class AccessRecorder {
  constructor(private readonly sealer: LinkSealer) {}

  /** Throws `KmsUnavailable`. */
  async prepare(link: VisitedLink, proof: Proof | null, context: VisitContext): Promise<Access> {
    const [verifiedBy = null] = await this.sealer.sealTexts(link.id, proof ? [proof.identity] : []);
    const { requestId, deadlineMs } = context;
    return { link, proof, verifiedBy, payload: payloadOf(link, proof, context), requestId, deadlineMs };
  }
}

/** A durable link opens again, so its code is a secret: only the event of its end carries it (LNK-22). */
function payloadOf(link: VisitedLink, proof: Proof | null, { clientIp, visit }: VisitContext): LinkAccess {
  return {
    account_id: link.accountId,
    link_id: link.id,
    link_type: link.linkType,
    asset_id: link.assetId,
    vault_id: link.vaultId,
    ...(link.domain !== 'files' && { link_code: link.code }),
    visibility: link.visibility,
    verified_by: proof?.identity ?? null,
    ip: clientIp === null ? null : (normalizeIp(clientIp) ?? null),
    user_agent: visit.userAgent,
  };
}

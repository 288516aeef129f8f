import { Injectable } from '@nestjs/common';
import type { VisitContext } from '@vaultsvc/contracts';
import type { LinkAccess } from '@vaultsvc/contracts/sparks';
import { normalizeIp } from '../link/bound-ip.js';
import { LinkSeal, type SealedText } from '../link/link-seal.js';
import type { VisitedLink } from './visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/** One opening, as it is recorded. */
export interface Access {
  readonly link: VisitedLink;
  readonly proof: Proof | null;
  /** `proof.identity` as the link keeps it (LNK-17). */
  readonly verifiedBy: SealedText | null;
  readonly fact: LinkAccess;
  readonly requestId: string;
  /** After it nobody waits for what the opening gives. */
  readonly deadlineMs: number;
}

/** Prepares the record of an opening, so that the transaction waits for no key. */
@Injectable()
export class AccessRecorder {
  constructor(private readonly seal: LinkSeal) {}

  /** Throws `KmsUnavailable`. */
  async prepare(link: VisitedLink, proof: Proof | null, context: VisitContext): Promise<Access> {
    const [verifiedBy = null] = await this.seal.seal(link.id, proof ? [proof.identity] : []);
    const { requestId, deadlineMs } = context;
    return { link, proof, verifiedBy, fact: factOf(link, proof, context), requestId, deadlineMs };
  }
}

/** LNK-22. */
function factOf(link: VisitedLink, proof: Proof | null, { clientIp, visit }: VisitContext): LinkAccess {
  return {
    account_id: link.accountId,
    link_id: link.id,
    link_type: link.linkType,
    asset_id: link.assetId,
    vault_id: link.vaultId,
    link_code: link.code,
    visibility: link.visibility,
    verified_by: proof?.identity ?? null,
    ip: clientIp === null ? null : (normalizeIp(clientIp) ?? null),
    user_agent: visit.userAgent,
  };
}

import { Injectable } from '@nestjs/common';
import type { VisitContext } from '@vaultsvc/contracts';
import {
  actionsOf,
  type InteractionOffer,
  type LinkAccess,
  type RevealedVersion,
} from '@vaultsvc/contracts/sparks';
import { sha256 } from '@vaultsvc/crypto/hash';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { normalizeIp } from '../../link/bound-ip.js';
import { LinkSealer, type SealedLinkText } from '../../link/link-sealer.js';
import type { NewReveal, RevealText } from '../admission/link-policy.repository.js';
import type { VisitTerms, VisitedLink } from '../admission/visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/** The prepared record of a grant's reveal. */
export interface Reveal extends Omit<NewReveal, 'requestId'> {
  /** The visitor's part; its expiry is known after the commit. */
  readonly offer: Omit<InteractionOffer, 'expires_at'>;
}

/** The prepared record of one opening. */
export interface OpeningRecord {
  readonly link: VisitedLink;
  readonly proof: Proof | null;
  /** `proof.identity`, sealed for the link's row (LNK-17). */
  readonly verifiedBy: SealedLinkText | null;
  readonly payload: LinkAccess;
  /** null for a link that is no grant. */
  readonly reveal: Reveal | null;
  readonly requestId: string;
  readonly deadlineMs: number;
}

/** Prepares the record of an opening before its transaction, which must not wait for a data key. */
@Injectable()
export class AccessRecorder {
  constructor(private readonly sealer: LinkSealer) {}

  /**
   * `content`: the bytes that the action hash of a grant is over (NTF-10): the content of a Spark, or for an ingot the text
   * `vault_id/ingot_id/version_id/size_bytes` of its `version`. Throws `KmsUnavailable`.
   */
  async prepare(
    link: VisitedLink,
    proof: Proof | null,
    context: VisitContext,
    content: Buffer,
    version: RevealedVersion | null = null,
  ): Promise<OpeningRecord> {
    const [verifiedBy = null] = await this.sealer.sealTexts(link.id, proof ? [proof.identity] : []);
    const reveal = link.policy && (await this.#reveal(link.id, link.policy, proof, content, version));
    const { requestId, deadlineMs } = context;
    return {
      link,
      proof,
      verifiedBy,
      payload: payloadOf(link, proof, context),
      reveal,
      requestId,
      deadlineMs,
    };
  }

  async #reveal(
    linkId: string,
    { interaction }: VisitTerms,
    proof: Proof | null,
    content: Buffer,
    version: RevealedVersion | null,
  ): Promise<Reveal> {
    const interaction_token = mintBearer();
    const action_hash = sha256(content).toString('hex');
    const verifiedBy = proof?.identity ?? null;
    const text: RevealText = { verified_by: verifiedBy, action_hash, ...(version && { version }) };
    const [sealed] = await this.sealer.sealTexts(linkId, [JSON.stringify(text)]);
    if (!sealed) throw new Error('nothing was sealed');
    const tokenLookup = lookupHash('interaction', parseBearer(interaction_token) as Buffer);
    const actions = [...actionsOf[interaction]];
    const offer = { interaction_token, actions, action_hash, is_requested: interaction !== 'view' };
    return { tokenLookup, sealed, verifiedAt: proof?.verifiedAt ?? null, verifiedBy, offer };
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

import { Injectable } from '@nestjs/common';
import type { Verified } from '@vaultsvc/contracts/sparks';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import type { Transaction } from '@vaultsvc/database';
import { LinkSealer, type SealedLinkText } from '../../link/link-sealer.js';
import { VerificationRepository, type VerificationMethod } from './verification.repository.js';

/** An identity that the bearer of a token has proved. */
export interface VerifiedIdentity {
  readonly identity: string;
  readonly method: VerificationMethod;
  /** Epoch seconds. */
  readonly verifiedAt: number;
}

/** Tokens that correct codes, and passkeys, are exchanged for: 32 bytes, valid for one link and identity for ten minutes (OPEN-25). */
@Injectable()
export class VerificationTokens {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly sealer: LinkSealer,
  ) {}

  /** Consumes the code; undefined when it is already consumed. */
  async issue(tx: Transaction, verificationId: string): Promise<Verified | undefined> {
    const token = mintBearer();
    const expiresAt = await this.verifications.exchange(tx, verificationId, lookupOf(token) as Buffer);
    return expiresAt === undefined ? undefined : { verification_token: token, expires_at: expiresAt };
  }

  /** A token for an identity that a passkey has proved. */
  async issueForPasskey(tx: Transaction, identity: SealedLinkText): Promise<Verified> {
    const token = mintBearer();
    const expires_at = await this.verifications.addProved(tx, identity, lookupOf(token) as Buffer);
    return { verification_token: token, expires_at };
  }

  /** The identity that the bearer has proved; undefined for a token that is forged, expired, or of another link. */
  async identityOf(linkId: string, token: string): Promise<VerifiedIdentity | undefined> {
    const lookup = lookupOf(token);
    const found = lookup && (await this.verifications.findByToken(linkId, lookup));
    if (!found) return undefined;
    const [identity] = await this.sealer.openTexts([found]);
    const { method, verifiedAt } = found;
    return { identity: identity as string, method, verifiedAt };
  }
}

function lookupOf(token: string): Buffer | undefined {
  const bytes = parseBearer(token);
  return bytes && lookupHash('verification', bytes);
}

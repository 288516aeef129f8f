import { Injectable } from '@nestjs/common';
import type { Verified } from '@vaultsvc/contracts/sparks';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import type { Transaction } from '@vaultsvc/database';
import { LinkSealer } from '../link/link-sealer.js';
import { VerificationRepository } from './verification.repository.js';

/** Tokens that correct codes are exchanged for: 32 bytes, valid for one link and identity for ten minutes (OPEN-25). */
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

  /** The identity that the bearer has proved; undefined for a token that is forged, expired, or of another link. */
  async identityOf(linkId: string, token: string): Promise<string | undefined> {
    const lookup = lookupOf(token);
    const sealed = lookup && (await this.verifications.findByToken(linkId, lookup));
    return sealed && (await this.sealer.openTexts([sealed]))[0];
  }
}

function lookupOf(token: string): Buffer | undefined {
  const bytes = parseBearer(token);
  return bytes && lookupHash('verification', bytes);
}

import { Injectable } from '@nestjs/common';
import type { Verified } from '@vaultsvc/contracts/sparks';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { LinkSeal } from '../link/link-seal.js';
import { VerificationRepository } from './verification.repository.js';

/** What a right code is exchanged for: 32 bytes, for this link and this identity, for ten minutes (OPEN-25). */
@Injectable()
export class VerificationTokens {
  constructor(
    private readonly verifications: VerificationRepository,
    private readonly seal: LinkSeal,
  ) {}

  /** Spends the code. Undefined when it was spent already. */
  async issue(verificationId: string): Promise<Verified | undefined> {
    const token = mintBearer();
    const expiresAt = await this.verifications.exchange(verificationId, lookupOf(token) as Buffer);
    return expiresAt === undefined ? undefined : { verification_token: token, expires_at: expiresAt };
  }

  /** Whom the bearer has proved to be; undefined for a token that is forged, too old, or of another link. */
  async identityOf(linkId: string, token: string): Promise<string | undefined> {
    const lookup = lookupOf(token);
    const sealed = lookup && (await this.verifications.ofToken(linkId, lookup));
    return sealed && (await this.seal.open([sealed]))[0];
  }
}

function lookupOf(token: string): Buffer | undefined {
  const bytes = parseBearer(token);
  return bytes && lookupHash('verification', bytes);
}

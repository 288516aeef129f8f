import type { CDPSession } from 'playwright-core';
import type { Visitor } from './visitor.js';

/** Chromium's emulated authenticator with a fingerprint reader, for one page (W3C WebAuthn Level 3, 11.2). */
export class VirtualAuthenticator {
  private constructor(
    private readonly session: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  static async add({ context, page }: Visitor): Promise<VirtualAuthenticator> {
    const session = await context.newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    return new VirtualAuthenticator(session, authenticatorId);
  }

  /** Whether it recognizes the fingerprint of its user. */
  async recognizesUser(isUserVerified: boolean): Promise<void> {
    const { authenticatorId } = this;
    await this.session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified });
  }

  async countPasskeys(): Promise<number> {
    const { authenticatorId } = this;
    return (await this.session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length;
  }
}

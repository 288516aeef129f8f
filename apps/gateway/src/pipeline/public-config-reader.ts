import { Injectable } from '@nestjs/common';
import { serviceContext } from '@vaultsvc/contracts';
import { readSignInClient } from '@vaultsvc/contracts/auth';
import { contractLimits, type PublicConfig, type SignInSettings } from '@vaultsvc/contracts/gateway';
import { Bus } from '@vaultsvc/messaging';
import { GatewayConfig } from '../config.js';

/** How long the identity provider is waited for: the rest of the answer does not depend on it. */
const SIGN_IN_MS = 3_000;
const SCOPES = ['openid', 'email', 'profile'];

/** The settings of this deployment that clients need (OPEN-33). None of it is secret. */
@Injectable()
export class PublicConfigReader {
  constructor(
    private readonly config: GatewayConfig,
    private readonly bus: Bus,
  ) {}

  async read(requestId: string): Promise<PublicConfig> {
    const { BUILD_VERSION, API_ORIGIN, FORGE_ORIGIN, LINK_ORIGIN, FILES_ORIGIN } = this.config;
    const sign_in = await this.#signIn(requestId);
    return {
      api_version: BUILD_VERSION,
      origins: { api: API_ORIGIN, forge: FORGE_ORIGIN, links: LINK_ORIGIN, files: FILES_ORIGIN },
      limits: {
        calls_per_minute: this.config.RATE_LIMIT_PER_MINUTE,
        calls_per_minute_without_account: this.config.RATE_LIMIT_PER_IP_PER_MINUTE,
        ...contractLimits,
      },
      sign_in,
      // Portals and widgets of uploads do not exist yet (OPEN-24).
      features: {
        sign_in: sign_in !== null,
        live_feed: true,
        transparency_log: true,
        upload_sources: false,
      },
    };
  }

  /** null while the identity provider does not answer: keys and open sessions work without it. */
  async #signIn(requestId: string): Promise<SignInSettings | null> {
    const context = serviceContext({ requestId, deadlineMs: Date.now() + SIGN_IN_MS });
    const client = await this.bus.call(readSignInClient, {}, context).catch(() => undefined);
    return client === undefined ? null : { ...client, scopes: SCOPES, code_challenge_method: 'S256' };
  }
}

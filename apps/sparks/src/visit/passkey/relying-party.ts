import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { SparksConfig } from '../../config.js';

/** The relying party of passkeys (WebAuthn Level 3, 5.1.2): the origin of link pages. */
@Injectable()
export class RelyingParty {
  readonly origin: string;
  readonly #host: string;

  constructor(config: SparksConfig) {
    this.origin = config.LINK_ORIGIN;
    this.#host = new URL(config.LINK_ORIGIN).hostname;
  }

  /** Throws PASSKEYS_UNAVAILABLE for an origin with an IP address: an RP ID is a domain string (WebAuthn, 5.1.2). */
  get id(): string {
    if (isIP(this.#host.replace(/^\[(.*)\]$/, '$1')) !== 0) throw new AppError('PASSKEYS_UNAVAILABLE');
    return this.#host;
  }
}

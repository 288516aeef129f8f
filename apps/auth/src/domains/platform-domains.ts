import { Injectable } from '@nestjs/common';
import { AuthConfig } from '../config.js';

/** The domains of the platform itself, which no account may claim (DOM-07). */
@Injectable()
export class PlatformDomains {
  readonly #names: readonly string[];

  constructor(config: AuthConfig) {
    const origins = [config.API_ORIGIN, config.LINK_ORIGIN, config.FILES_ORIGIN, config.FORGE_ORIGIN];
    this.#names = origins.map((origin) => new URL(origin).hostname.replace(/\.$/, ''));
  }

  /** Whether a domain in normal form is one of them or a subdomain of one. */
  includes(domain: string): boolean {
    return this.#names.some((name) => domain === name || domain.endsWith(`.${name}`));
  }
}

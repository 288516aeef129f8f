import { Injectable } from '@nestjs/common';
import { identityKey } from '@vaultsvc/contracts';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { normalizeIp } from '../../link/bound-ip.js';
import { LINKS_PURPOSE } from '../../link/link-sealer.js';

/** The link of a MAC; its data key never changes, so that a MAC is the same at any time. */
export interface MacLink {
  readonly id: string;
  readonly kid: string;
}

/**
 * Identities and addresses of visitors as MACs, by which their codes are found and counted. A MAC is of one link: a dump
 * shows neither who visited a link nor whether two links have a visitor in common. Throws `KmsUnavailable`.
 */
@Injectable()
export class SubjectMacs {
  constructor(private readonly keys: DataKeys) {}

  /** The same for all spellings that differ in the case of ASCII letters. */
  ofIdentity(link: MacLink, identity: string): Promise<Buffer> {
    return this.#macOf(link, 'identity', identityKey(identity));
  }

  /** Visitors of unknown address share one MAC. */
  ofAddress(link: MacLink, clientIp: string | null): Promise<Buffer> {
    return this.#macOf(link, 'address', (clientIp !== null && normalizeIp(clientIp)) || '');
  }

  #macOf({ id, kid }: MacLink, kind: 'identity' | 'address', value: string): Promise<Buffer> {
    return this.keys.byId(LINKS_PURPOSE, kid, (key) => mac(key, 'vk/v1/code-subject', id, kind, value));
  }
}

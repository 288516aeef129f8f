import type { KeyObject } from 'node:crypto';
import { mac, macEquals, macKey } from './mac.js';

/**
 * Signs what travels beside a call, so that a service can trust who is calling (OPEN-51). The MAC binds the header to
 * one operation: a header seen on one subject is refused on another.
 */
export class CallContextMac {
  readonly #key: KeyObject;

  /** `key`: the CONTEXT_KEY setting, at least 32 bytes, the same in every service. */
  constructor(key: Buffer) {
    this.#key = macKey(key);
  }

  /** The MAC in base64url (43 letters) of the header's text, exactly as it is sent. */
  sign(operation: string, header: string): string {
    return mac(this.#key, 'vk/v1/context', operation, header).toString('base64url');
  }

  /** Whether this MAC was made with our key for this operation and header. Missing counts as wrong. */
  verify(operation: string, header: string, presented: string | undefined): boolean {
    return presented !== undefined && macEquals(presented, this.sign(operation, header));
  }
}

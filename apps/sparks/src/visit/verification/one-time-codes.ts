import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { mac, macEquals } from '@vaultsvc/crypto/mac';
import { LINKS_PURPOSE } from '../../link/link-sealer.js';

const CODES = 1_000_000;

/** Binds a code's MAC to one verification of one link. */
export interface CodeOwner {
  readonly linkId: string;
  readonly verificationId: string;
  /** The data key of the MAC. */
  readonly kid: string;
}

/** Codes of six digits, stored as a MAC: a plain hash could be reversed by trying all codes (OPEN-25). */
@Injectable()
export class OneTimeCodes {
  constructor(private readonly keys: DataKeys) {}

  /** A new code, uniformly distributed. */
  draw(): string {
    return String(randomInt(CODES)).padStart(6, '0');
  }

  /** The MAC to store. Throws `KmsUnavailable`. */
  macOf({ linkId, verificationId, kid }: CodeOwner, code: string): Promise<Buffer> {
    return this.keys.byId(LINKS_PURPOSE, kid, (key) =>
      mac(key, 'vk/v1/one-time-code', linkId, verificationId, code),
    );
  }

  /** Whether two MACs are of the same code, in constant time; always false when none was sent (`stored` is null). */
  isSame(entered: Buffer, stored: Buffer | null): boolean {
    return macEquals(entered, stored ?? Buffer.alloc(32)) && stored !== null;
  }
}

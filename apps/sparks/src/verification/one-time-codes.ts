import { randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { mac, macEquals } from '@vaultsvc/crypto/mac';
import { LINKS_PURPOSE } from '../link/link-seal.js';

const CODES = 1_000_000;

/** One code of one identity: nothing that is kept of it fits another. */
export interface CodeOwner {
  readonly linkId: string;
  readonly verificationId: string;
  /** The data key that it is kept under. */
  readonly kid: string;
}

/** Six digits, kept as a MAC: a hash of one would be found by trying all (OPEN-25). */
@Injectable()
export class OneTimeCodes {
  constructor(private readonly keys: DataKeys) {}

  /** A new code: each of the million is as likely as any other. */
  draw(): string {
    return String(randomInt(CODES)).padStart(6, '0');
  }

  /** What is kept. Throws `KmsUnavailable`. */
  macOf({ linkId, verificationId, kid }: CodeOwner, code: string): Promise<Buffer> {
    return this.keys.byId(LINKS_PURPOSE, kid, (key) =>
      mac(key, 'vk/v1/one-time-code', linkId, verificationId, code),
    );
  }

  /** Whether this is the code; it never is where none was sent. Takes as long either way. */
  async fits(owner: CodeOwner, kept: Buffer | null, code: string): Promise<boolean> {
    return macEquals(await this.macOf(owner, code), kept ?? Buffer.alloc(32)) && kept !== null;
  }
}

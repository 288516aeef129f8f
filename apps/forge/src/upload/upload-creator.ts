import { Injectable } from '@nestjs/common';
import { validationError } from '@vaultsvc/contracts';
import { type FileIds, unwrapFileKey, wrapFileKey } from '@vaultsvc/crypto/container';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import type { ConsumedIstk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { UploadRepository } from './upload.repository.js';

export interface CreatedUpload extends FileIds {
  /** Authorizes writes: 256 random bits that are stored nowhere (TRAP 59). */
  readonly uploadId: string;
}

/** Creates uploads from ISTKs. */
@Injectable()
export class UploadCreator {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRepository,
    private readonly uploads: UploadRepository,
  ) {}

  /**
   * Consumes the ISTK and creates its upload of `bytes` bytes in one transaction. Throws AUTHENTICATION_ERROR as
   * `consumeForUpload` does, and VALIDATION_ERROR above the byte cap of the ISTK. Fills `istkSecret` with 0.
   */
  async create(istkSecret: Buffer, bytes: number): Promise<CreatedUpload> {
    const uploadId = mintBearer();
    const secret = parseBearer(uploadId) as Buffer; // just minted
    try {
      return await this.database.transaction(async (tx) => {
        const istk = await this.istks.consumeForUpload(tx, lookupHash('istk', istkSecret));
        // Throwing rolls the consumption back (AMB-54).
        assertWithinCap(istk, bytes);
        const { accountId, vaultId, ingotId, versionId } = istk;
        const file = { accountId, vaultId, ingotId, versionId, bytes };
        const wrapped = rewrap(istk, istkSecret, secret);
        await this.uploads.insert(tx, lookupHash('upload', secret), file, wrapped);
        return { ...file, uploadId };
      });
    } finally {
      secret.fill(0);
      istkSecret.fill(0);
    }
  }
}

function assertWithinCap({ terms }: ConsumedIstk, bytes: number): void {
  if (bytes <= terms.bytesMax) return;
  throw validationError({ field: 'Upload-Length', message: `must be ${terms.bytesMax} at most` });
}

/** Wraps the file key under the upload id; the commit deletes the key wrapped under the ISTK. */
function rewrap(istk: ConsumedIstk, istkSecret: Buffer, uploadSecret: Buffer): Buffer {
  const by = { holder: 'istk', terms: istk.terms } as const;
  const fileKey = unwrapFileKey(istkSecret, istk, by, istk.wrappedKey);
  try {
    return wrapFileKey(uploadSecret, istk, { holder: 'upload' }, fileKey);
  } finally {
    fileKey.fill(0);
  }
}

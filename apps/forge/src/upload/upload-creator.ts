import { Injectable } from '@nestjs/common';
import { validationError } from '@vaultsvc/contracts';
import { type FileIds, unwrapFileKey, wrapFileKey } from '@vaultsvc/crypto/container';
import { lookupHash, mintBearer, parseBearer } from '@vaultsvc/crypto/tokens';
import { Database } from '@vaultsvc/database';
import type { ConsumedIstk } from '../istk/istk.js';
import { IstkRepository } from '../istk/istk.repository.js';
import { UploadRepository } from './upload.repository.js';

export interface CreatedUpload extends FileIds {
  /** Whoever has it may write: 256 random bits that are stored nowhere (TRAP 59). */
  readonly uploadId: string;
}

/** Makes uploads of ISTKs. */
@Injectable()
export class UploadCreator {
  constructor(
    private readonly database: Database,
    private readonly istks: IstkRepository,
    private readonly uploads: UploadRepository,
  ) {}

  /**
   * Consumes the ISTK and opens its upload of so many bytes, or does neither. Throws AUTHENTICATION_ERROR as
   * `consumeForUpload` does, and VALIDATION_ERROR for more bytes than the ISTK is good for.
   */
  async create(istkSecret: Buffer, bytes: number): Promise<CreatedUpload> {
    const uploadId = mintBearer();
    const secret = parseBearer(uploadId) as Buffer; // we have just minted it
    try {
      return await this.database.transaction(async (tx) => {
        const istk = await this.istks.consumeForUpload(tx, lookupHash('istk', istkSecret));
        // The refusal takes the consumption back (AMB-54).
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

/** From the bearer of the ISTK to the bearer of the upload's id: the wrap that the ISTK opened is gone with the commit. */
function rewrap(istk: ConsumedIstk, istkSecret: Buffer, uploadSecret: Buffer): Buffer {
  const by = { holder: 'istk', terms: istk.terms } as const;
  const fileKey = unwrapFileKey(istkSecret, istk, by, istk.wrappedKey);
  try {
    return wrapFileKey(uploadSecret, istk, { holder: 'upload' }, fileKey);
  } finally {
    fileKey.fill(0);
  }
}

import { Injectable } from '@nestjs/common';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { AuthConfig } from '../config.js';
import { ReceiptKeyRepository } from './receipt-key.repository.js';
import { RotatingKeys } from './rotating-keys.js';

/** Of no token, so that a receipt never passes as one (RFC 8725, section 3.11). */
const RECEIPT_TYPE = 'receipt+jwt';

/**
 * The keys that sign receipts, and nothing else. A public key stays published for ever; its private part is destroyed when its
 * successor has replaced it (NTF-45). Readiness does not depend on them: sign-in works without.
 */
@Injectable()
export class ReceiptKeys extends RotatingKeys {
  constructor(
    private readonly config: AuthConfig,
    repository: ReceiptKeyRepository,
    dataKeys: DataKeys,
  ) {
    super('receipt', repository, dataKeys);
  }

  /**
   * Signs claims with this platform as `iss` and the database's time as `iat`. Claims of these names are replaced.
   * @throws NoSigningKey, KmsUnavailable
   */
  signReceipt(claims: Readonly<Record<string, unknown>>): Promise<string> {
    return this.sign(RECEIPT_TYPE, { ...claims, iss: this.config.API_ORIGIN, iat: this.now() });
  }
}

import { Injectable } from '@nestjs/common';
import { DataKeys } from '@vaultsvc/crypto/data-keys';
import { ReadinessChecks } from '@vaultsvc/service';
import { RotatingKeys } from './rotating-keys.js';
import { SigningKeyRepository } from './signing-key.repository.js';

/** The keys that sign tokens. A key is deleted when its last tokens have expired. */
@Injectable()
export class AccessTokenKeys extends RotatingKeys {
  constructor(repository: SigningKeyRepository, dataKeys: DataKeys, readiness: ReadinessChecks) {
    super('signing', repository, dataKeys);
    readiness.add('signing-key', async () => void this.current());
  }
}

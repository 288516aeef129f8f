import { origin, Secret, secretUrl, Setting } from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

export class AuthConfig extends KmsConfig {
  @Setting(origin, 'Public origin of the API: the issuer of every token.')
  API_ORIGIN: string;

  @Setting(secretUrl, 'Redis that requests are admitted by.')
  REDIS_URL: Secret;
}

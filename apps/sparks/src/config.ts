import { origin, Setting } from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

export class SparksConfig extends KmsConfig {
  @Setting(origin, 'Origin of SparkLinks: a link is this and its code.')
  LINK_ORIGIN: string;

  @Setting(origin, 'Origin of durable shares of files.')
  FILES_ORIGIN: string;
}

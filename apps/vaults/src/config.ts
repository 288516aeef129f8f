import { origin, Setting, text } from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

export class VaultsConfig extends KmsConfig {
  @Setting(origin, 'Public origin of Forge: where uploads and downloads are sent.')
  FORGE_ORIGIN: string;

  // Another key than that of the data keys, with grants of its own: it opens shared files.
  @Setting(text, 'Id, alias or ARN of the KMS key that wraps the share keys of vaults.')
  override KMS_KEY_ID = 'alias/vk-system';
}

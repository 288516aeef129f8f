import { integer, origin, Setting, text } from '@vaultsvc/config';
import { KmsConfig } from '@vaultsvc/crypto/kms';

export class VaultsConfig extends KmsConfig {
  @Setting(origin, 'Public origin of Forge: where uploads and downloads are sent.')
  FORGE_ORIGIN: string;

  @Setting(integer({ min: 1 }), 'Bytes from which statistics count an ingot as large.')
  LARGE_INGOT_BYTES = 100 * 1_048_576;

  @Setting(integer({ min: 1 }), 'Bytes below which statistics count an ingot as small.')
  SMALL_INGOT_BYTES = 1_048_576;

  // Another key than that of the data keys, with grants of its own: it opens shared files.
  @Setting(text, 'Id, alias or ARN of the KMS key that wraps the share keys of vaults.')
  override KMS_KEY_ID = 'alias/vk-system';
}

import { Secret, secretText, Setting, StatefulConfig, text } from '@vaultsvc/config';
import type { KmsSettings } from './kms-settings.js';

/** The settings of a service that seals what it stores: every such service has data keys under KMS. */
export class KmsConfig extends StatefulConfig {
  @Setting(text, "Another address of KMS than AWS's own: the emulator of the local stack, or a VPC endpoint.")
  KMS_ENDPOINT = '';

  @Setting(text, 'Region of KMS.')
  KMS_REGION: string;

  @Setting(text, 'Id, alias or ARN of the KMS key that wraps the data keys.')
  KMS_KEY_ID = 'alias/vk-root';

  @Setting(
    text,
    "Credentials for KMS; without them the SDK finds its own, which is right for a machine's role.",
  )
  AWS_ACCESS_KEY_ID = '';

  @Setting(secretText, 'Belongs to AWS_ACCESS_KEY_ID.')
  AWS_SECRET_ACCESS_KEY: Secret = new Secret('');

  get kms(): KmsSettings {
    const accessKeyId = this.AWS_ACCESS_KEY_ID;
    return {
      kmsRegion: this.KMS_REGION,
      kmsKeyId: this.KMS_KEY_ID,
      ...(this.KMS_ENDPOINT && { kmsEndpoint: this.KMS_ENDPOINT }),
      ...(accessKeyId && {
        kmsCredentials: { accessKeyId, secretAccessKey: this.AWS_SECRET_ACCESS_KEY.reveal() },
      }),
    };
  }
}

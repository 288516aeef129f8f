import {
  encryptedHttp,
  Secret,
  secretText,
  Setting,
  StatefulConfig,
  text,
  togetherWith,
} from '@vaultsvc/config';

/** The connection of `Kms`. */
export interface KmsSettings {
  /** Another endpoint than that of AWS for the region: the emulator of the local stack, or a VPC endpoint. */
  readonly kmsEndpoint?: string;
  readonly kmsRegion: string;
  /** Id, alias or ARN of the KMS key of this service, for example `alias/vk-root`. */
  readonly kmsKeyId: string;
  /** Timeout of one of at most three attempts in milliseconds; 2,000 by default. */
  readonly kmsTimeoutMs?: number;
  /** Without them the SDK uses its default chain: the environment, then the role of the machine. */
  readonly kmsCredentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
}

/** Settings of a service that encrypts stored data with data keys of KMS. */
export class KmsConfig extends StatefulConfig {
  @Setting(
    text,
    'Another endpoint of KMS than that of AWS: the emulator of the local stack, or a VPC endpoint.',
    encryptedHttp,
  )
  KMS_ENDPOINT = '';

  @Setting(text, 'AWS region of KMS.')
  KMS_REGION: string;

  @Setting(text, 'Id, alias or ARN of the KMS key that wraps the data keys.')
  KMS_KEY_ID = 'alias/vk-root';

  @Setting(
    text,
    'Access key id for KMS. Without it the SDK uses its default chain, which includes the role of the machine.',
  )
  AWS_ACCESS_KEY_ID = '';

  @Setting(secretText, 'The secret of AWS_ACCESS_KEY_ID.', togetherWith('AWS_ACCESS_KEY_ID'))
  AWS_SECRET_ACCESS_KEY: Secret = new Secret('');

  /** The settings in the form that `Kms` accepts. */
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

import { encryptedHttp, oneOf, Secret, secretText, Setting, text, togetherWith } from '@vaultsvc/config';
import type { ProviderName } from './provider/ciphertext-form.js';
import {
  allOf,
  keySettingsOf,
  neededBy,
  passphraseNeeded,
  roleNeeded,
  secretNeeded,
} from './key-settings.js';
import { SecondKmsConfig } from './second-kms-config.js';
import type { KeySettings, KmsSettings, TransitAuth, TransitRandom } from './provider/settings.js';

/** Settings of a service that encrypts stored data with data keys of key management. */
export class KmsConfig extends SecondKmsConfig {
  @Setting(
    oneOf('aws', 'transit', 'file'),
    'Provider of key management: AWS KMS, the transit engine of Vault or OpenBao, or a sealed file for small installations.',
  )
  KMS_PROVIDER: ProviderName = 'aws';

  @Setting(
    text,
    'Another endpoint of AWS KMS than that of AWS: the emulator of the local stack, or a VPC endpoint.',
    encryptedHttp,
  )
  KMS_ENDPOINT = '';

  @Setting(text, 'AWS region of KMS. Required with KMS_PROVIDER=aws.', neededBy('KMS_', 'aws'))
  KMS_REGION = '';

  @Setting(
    text,
    'Id, alias or ARN of the KMS key that wraps the data keys. With transit and file the name of the key, without `alias/`.',
  )
  KMS_KEY_ID = 'alias/vk-root';

  @Setting(
    text,
    'Access key id for KMS. Without it the SDK uses its default chain, which includes the role of the machine.',
  )
  AWS_ACCESS_KEY_ID = '';

  @Setting(secretText, 'The secret of AWS_ACCESS_KEY_ID.', togetherWith('AWS_ACCESS_KEY_ID'))
  AWS_SECRET_ACCESS_KEY: Secret = new Secret('');

  @Setting(
    text,
    'File of the key (npm run provision -- kms-keys), of mode 0600. Required with KMS_PROVIDER=file.',
    neededBy('KMS_', 'file'),
  )
  KMS_KEYS_FILE = '';

  @Setting(
    text,
    'File of the passphrase of KMS_KEYS_FILE, of mode 0600. None: the credential kms-passphrase of systemd.',
    passphraseNeeded('KMS_'),
  )
  KMS_PASSPHRASE_FILE = '';

  @Setting(text, 'Folder of credentials, which systemd sets.')
  CREDENTIALS_DIRECTORY = '';

  @Setting(
    text,
    'Origin of Vault or OpenBao: https://vault.example.com:8200. Required with KMS_PROVIDER=transit.',
    allOf(neededBy('KMS_', 'transit'), encryptedHttp),
  )
  KMS_TRANSIT_URL = '';

  @Setting(text, 'Mount of the transit engine.')
  KMS_TRANSIT_MOUNT = 'transit';

  @Setting(text, 'Namespace of the transit engine. None: the root namespace.')
  KMS_TRANSIT_NAMESPACE = '';

  @Setting(
    oneOf('token', 'approle', 'kubernetes'),
    'How the service logs in: a token that somebody else renews, AppRole, or the service account of its pod.',
  )
  KMS_TRANSIT_AUTH: TransitAuth = 'approle';

  @Setting(text, 'Mount of the auth method. None: the name of the method.')
  KMS_TRANSIT_AUTH_MOUNT = '';

  @Setting(text, 'Role id of AppRole, or role of Kubernetes.', roleNeeded('KMS_'))
  KMS_TRANSIT_ROLE = '';

  @Setting(secretText, 'The token, or the secret id of AppRole.', secretNeeded('KMS_'))
  KMS_TRANSIT_SECRET: Secret = new Secret('');

  @Setting(
    text,
    'File of the token, the secret id or the JWT, read at each login. With kubernetes: that of the pod by default.',
  )
  KMS_TRANSIT_LOGIN_FILE = '';

  @Setting(
    oneOf('refused', 'seal', 'platform'),
    'Source of random data at transit: the generator of the seal, or that of the platform. It must be hardware; `refused` where it is not (OPEN-45).',
  )
  KMS_TRANSIT_RANDOM: TransitRandom = 'refused';

  /** The settings in the form that `Kms` accepts. */
  get kms(): KmsSettings {
    const settings = this as unknown as Readonly<Record<string, unknown>>;
    const key = keySettingsOf(settings, 'KMS_') as KeySettings; // a provider is required
    const second = keySettingsOf(settings, 'KMS_SECOND_');
    return { key, ...(second && { second }) };
  }
}

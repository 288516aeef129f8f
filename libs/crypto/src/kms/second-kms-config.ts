import { encryptedHttp, oneOf, Secret, secretText, Setting, StatefulConfig, text } from '@vaultsvc/config';
import type { ProviderName } from './provider/ciphertext-form.js';
import { allOf, neededBy, passphraseNeeded, roleNeeded, secretNeeded } from './key-settings.js';
import type { TransitAuth } from './provider/settings.js';

/** Settings of a second key, to which data keys will be moved or from which they are being moved. */
export class SecondKmsConfig extends StatefulConfig {
  @Setting(
    oneOf('none', 'aws', 'transit', 'file'),
    'A second provider of key management, which unwraps and never wraps: the next one before a move, the former one after it.',
  )
  KMS_SECOND_PROVIDER: 'none' | ProviderName = 'none';

  @Setting(text, 'KMS_KEY_ID at the second provider.', neededBy('KMS_SECOND_', 'aws', 'transit', 'file'))
  KMS_SECOND_KEY_ID = '';

  @Setting(text, 'KMS_ENDPOINT of the second provider.', encryptedHttp)
  KMS_SECOND_ENDPOINT = '';

  @Setting(
    text,
    'KMS_REGION of the second provider. Its credentials are those of AWS_ACCESS_KEY_ID, too.',
    neededBy('KMS_SECOND_', 'aws'),
  )
  KMS_SECOND_REGION = '';

  @Setting(text, 'KMS_KEYS_FILE of the second provider.', neededBy('KMS_SECOND_', 'file'))
  KMS_SECOND_KEYS_FILE = '';

  @Setting(text, 'KMS_PASSPHRASE_FILE of the second provider.', passphraseNeeded('KMS_SECOND_'))
  KMS_SECOND_PASSPHRASE_FILE = '';

  @Setting(
    text,
    'KMS_TRANSIT_URL of the second provider.',
    allOf(neededBy('KMS_SECOND_', 'transit'), encryptedHttp),
  )
  KMS_SECOND_TRANSIT_URL = '';

  @Setting(text, 'KMS_TRANSIT_MOUNT of the second provider.')
  KMS_SECOND_TRANSIT_MOUNT = 'transit';

  @Setting(text, 'KMS_TRANSIT_NAMESPACE of the second provider.')
  KMS_SECOND_TRANSIT_NAMESPACE = '';

  @Setting(oneOf('token', 'approle', 'kubernetes'), 'KMS_TRANSIT_AUTH of the second provider.')
  KMS_SECOND_TRANSIT_AUTH: TransitAuth = 'approle';

  @Setting(text, 'KMS_TRANSIT_AUTH_MOUNT of the second provider.')
  KMS_SECOND_TRANSIT_AUTH_MOUNT = '';

  @Setting(text, 'KMS_TRANSIT_ROLE of the second provider.', roleNeeded('KMS_SECOND_'))
  KMS_SECOND_TRANSIT_ROLE = '';

  @Setting(secretText, 'KMS_TRANSIT_SECRET of the second provider.', secretNeeded('KMS_SECOND_'))
  KMS_SECOND_TRANSIT_SECRET: Secret = new Secret('');

  @Setting(text, 'KMS_TRANSIT_LOGIN_FILE of the second provider.')
  KMS_SECOND_TRANSIT_LOGIN_FILE = '';
}

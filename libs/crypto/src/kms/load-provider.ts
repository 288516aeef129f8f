import { AwsKms } from './aws/aws-kms.js';
import { FileKms } from './file/file-kms.js';
import type { KmsProvider } from './provider/provider.js';
import type { KeySettings } from './provider/settings.js';
import { TransitKms } from './transit/transit-kms.js';

/** The provider of a key. */
export async function loadProvider(settings: KeySettings): Promise<KmsProvider> {
  switch (settings.provider) {
    case 'aws':
      return AwsKms.load(settings);
    case 'transit':
      return new TransitKms(settings);
    case 'file':
      return new FileKms(settings);
  }
}

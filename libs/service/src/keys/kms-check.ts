import { drawsRandom, Kms, type KmsConfig } from '@vaultsvc/crypto/kms';
import type { Check } from '../check/index.js';
import { tryKms } from './data-keys.providers.js';

const MADE = 'a data key was made and opened again';

/** Advice by provider. */
const advice = {
  aws: 'See KMS_KEY_ID and KMS_REGION, and the grants of the service: GenerateDataKey and Decrypt on its key, GenerateRandom for sparks.',
  transit:
    'See KMS_TRANSIT_URL and the policy of the service: datakey, encrypt and decrypt on its key, random for sparks.',
  file: 'See KMS_KEYS_FILE and KMS_PASSPHRASE: the file belongs to the user of the service or to root, has mode 0600 (chmod 600), and has the key KMS_KEY_ID.',
} as const;

/** @param options `random`: whether the service asks for random data, too, where the provider draws any */
export function kmsCheck(service: string, config: KmsConfig, { random = false } = {}): Check {
  return {
    name: 'kms',
    advice: advice[config.kms.key.provider],
    run: async () => {
      const kms = new Kms(config.kms);
      try {
        await tryKms(kms, service);
        if (!random) return MADE;
        if (!drawsRandom(config.kms.key)) return `${MADE}; this provider draws no random data`;
        (await kms.generateRandom(1)).random.fill(0);
        return `${MADE}, and random data was given`;
      } finally {
        kms.close();
      }
    },
  };
}

import { drawsRandom, Kms, type KmsConfig } from '@vaultsvc/crypto/kms';
import type { Check } from '../check/index.js';
import { tryKms } from './data-keys.providers.js';

const MADE = 'a data key was made and opened again';

/** @param options `random`: whether the service asks for random data, too, where the provider draws any */
export function kmsCheck(service: string, config: KmsConfig, { random = false } = {}): Check {
  return {
    name: 'kms',
    advice:
      'See the settings of key management, and the grants of the service: GenerateDataKey and Decrypt on its key, GenerateRandom for sparks.',
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

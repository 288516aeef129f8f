import { Kms, type KmsConfig } from '@vaultsvc/crypto/kms';
import type { Check } from '../check/index.js';
import { tryKms } from './data-keys.providers.js';

/** @param options `random`: whether the service asks for random data, too */
export function kmsCheck(service: string, config: KmsConfig, { random = false } = {}): Check {
  return {
    name: 'kms',
    advice:
      'See the settings of key management, and the grants of the service: GenerateDataKey and Decrypt on its key, GenerateRandom for sparks.',
    run: async () => {
      const kms = new Kms(config.kms);
      try {
        await tryKms(kms, service);
        if (random) (await kms.generateRandom(1)).random.fill(0);
        return `a data key was made and opened again${random ? ', and random data was given' : ''}`;
      } finally {
        kms.close();
      }
    },
  };
}

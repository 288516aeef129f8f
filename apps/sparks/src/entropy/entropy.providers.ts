import { randomBytes } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import { Kms } from '@vaultsvc/crypto/kms';
import { EntropySource } from './entropy-source.js';
import { EntropyTrail } from './entropy-trail.js';
import { GenerateEntropy } from './generate-entropy.handler.js';

/** Random data for callers. */
export const entropyProviders: Provider[] = [
  { provide: EntropySource, useFactory: (kms: Kms) => new EntropySource(kms, randomBytes), inject: [Kms] },
  EntropyTrail,
  GenerateEntropy,
];

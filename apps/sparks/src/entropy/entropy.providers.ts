import { randomBytes } from 'node:crypto';
import type { Provider } from '@nestjs/common';
import { Kms } from '@vaultsvc/crypto/kms';
import { SparksConfig } from '../config.js';
import { EntropySource } from './entropy-source.js';
import { EntropyRecorder } from './entropy-recorder.js';
import { GenerateEntropy } from './generate-entropy.handler.js';

/** Random data for callers. */
export const entropyProviders: Provider[] = [
  {
    provide: EntropySource,
    // A client of its own: callers who have random data throttled must not open the circuit of the data keys.
    useFactory: (config: SparksConfig) => new EntropySource(new Kms(config.kms), randomBytes),
    inject: [SparksConfig],
  },
  EntropyRecorder,
  GenerateEntropy,
];

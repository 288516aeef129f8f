import type { Provider } from '@nestjs/common';
import { SparksConfig } from '../config.js';
import { SafetySources } from './safety-sources.js';
import { UrlSafety } from './url-safety.js';

/** For the module: `UrlSafety`, of what the settings name. Its lists are kept by two jobs. */
export const safetyProviders: readonly Provider[] = [
  {
    provide: SafetySources,
    useFactory: (config: SparksConfig) => SafetySources.open(config),
    inject: [SparksConfig],
  },
  { provide: UrlSafety, useExisting: SafetySources },
];

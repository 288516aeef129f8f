import type { Provider } from '@nestjs/common';
import { SafetySources } from './safety-sources.js';
import { UrlSafety } from './url-safety.js';

/** For the module: `UrlSafety`. */
export const safetyProviders: readonly Provider[] = [{ provide: UrlSafety, useClass: SafetySources }];

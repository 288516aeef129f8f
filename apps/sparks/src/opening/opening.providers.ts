import type { Provider } from '@nestjs/common';
import { Accesses } from './access.js';
import { IngotOpening } from './ingot-opening.js';
import { LinkGate } from './link-gate.js';
import { LinkPolicy } from './link-policy.js';
import { OpenLink } from './open-link.handler.js';
import { OpeningRepository } from './opening.repository.js';
import { Revelation } from './revelation.js';
import { SparkDescriptionRepository } from './spark-description.repository.js';
import { SparkOpening } from './spark-opening.js';
import { VisitedLinkRepository } from './visited-link.repository.js';
import { Visitors } from './visitors.js';

/** How links are opened. */
export const openingProviders: readonly Provider[] = [
  VisitedLinkRepository,
  LinkGate,
  Visitors,
  LinkPolicy,
  Accesses,
  Revelation,
  SparkDescriptionRepository,
  OpeningRepository,
  SparkOpening,
  IngotOpening,
  OpenLink,
];

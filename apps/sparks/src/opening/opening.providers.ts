import type { Provider } from '@nestjs/common';
import { AccessRecorder } from './access-recorder.js';
import { IngotLinkOpener } from './ingot-link-opener.js';
import { LinkAdmission } from './link-admission.js';
import { LinkPolicy } from './link-policy.js';
import { OpenLink } from './open-link.handler.js';
import { OpeningRepository } from './opening.repository.js';
import { SparkPresenter } from './spark-presenter.js';
import { SparkDescriptionRepository } from './spark-description.repository.js';
import { SparkLinkOpener } from './spark-link-opener.js';
import { VisitedLinkRepository } from './visited-link.repository.js';
import { VisitorVerifier } from './visitor-verifier.js';

/** How links are opened. */
export const openingProviders: readonly Provider[] = [
  VisitedLinkRepository,
  LinkAdmission,
  VisitorVerifier,
  LinkPolicy,
  AccessRecorder,
  SparkPresenter,
  SparkDescriptionRepository,
  OpeningRepository,
  SparkLinkOpener,
  IngotLinkOpener,
  OpenLink,
];

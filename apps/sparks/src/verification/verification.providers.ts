import type { Provider } from '@nestjs/common';
import { ConfirmVerification } from './confirm-verification.handler.js';
import { OneTimeCodes } from './one-time-codes.js';
import { StartVerification } from './start-verification.handler.js';
import { VerificationRepository } from './verification.repository.js';
import { VerificationTokens } from './verification-tokens.js';

/** How visitors prove who they are. */
export const verificationProviders: readonly Provider[] = [
  OneTimeCodes,
  VerificationRepository,
  VerificationTokens,
  StartVerification,
  ConfirmVerification,
];

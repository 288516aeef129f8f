import { Injectable } from '@nestjs/common';
import { SparkClaimRepository } from './spark-claim.repository.js';

/** Has sparks remove the Sparks of retrievals whose instance died before it settled or abandoned its claim. */
@Injectable()
export class AbandonExpiredClaims {
  readonly everySeconds = 15;

  constructor(private readonly claims: SparkClaimRepository) {}

  run(): Promise<void> {
    return this.claims.abandonExpired();
  }
}

import { Injectable } from '@nestjs/common';
import { SparkClaims } from './spark-claims.repository.js';

/** Has the Sparks removed of retrievals whose copy died, or could not say that they failed. Any number of copies may. */
@Injectable()
export class GiveUpClaims {
  readonly everySeconds = 15;

  constructor(private readonly claims: SparkClaims) {}

  run(): Promise<void> {
    return this.claims.giveUpOld();
  }
}

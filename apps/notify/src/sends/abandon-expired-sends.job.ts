import { Injectable } from '@nestjs/common';
import { SendRepository } from './send.repository.js';

/** Recalls the grants of sends whose instance died before it accepted them (NTF-29). */
@Injectable()
export class AbandonExpiredSends {
  readonly everySeconds = 15;

  constructor(private readonly sends: SendRepository) {}

  run(): Promise<void> {
    return this.sends.abandonExpired();
  }
}

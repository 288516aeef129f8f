import { Injectable } from '@nestjs/common';
import { SendRepository } from './send.repository.js';

/** Deletes sends at the end of their history (NTF-19). */
@Injectable()
export class PurgeSends {
  readonly everySeconds = 3_600;

  constructor(private readonly sends: SendRepository) {}

  run(): Promise<void> {
    return this.sends.purge();
  }
}

import { Injectable } from '@nestjs/common';
import { TombstoneRepository } from './tombstone.repository.js';

/** Creates the monthly partitions of tombstones ahead of time, so that none is missing at the turn of a month. */
@Injectable()
export class MaintainTombstones {
  readonly everySeconds = 3_600;

  constructor(private readonly tombstones: TombstoneRepository) {}

  run(): Promise<void> {
    return this.tombstones.maintainPartitions();
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { SERVED_SHARD } from '@vaultsvc/service';
import { ReportingConfig } from '../config.js';

/** The shard of this instance, and those that there are (ADR 63). */
@Injectable()
export class Shards {
  readonly all: readonly number[];
  /** The shard that decides what one account of all may have. */
  readonly deciding: number;

  constructor(
    @Inject(SERVED_SHARD) readonly own: number,
    { SHARDS: shards }: ReportingConfig,
  ) {
    this.all = shards;
    this.deciding = Math.min(...shards);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { SERVED_SHARD } from '@vaultsvc/service';
import { ReportingConfig } from '../config.js';

/** The shards besides that of this instance (ADR 63). */
@Injectable()
export class OtherShards {
  readonly all: readonly number[];
  /** The shard that decides what only one account of all may have; undefined in that shard itself. */
  readonly deciding: number | undefined;

  constructor(@Inject(SERVED_SHARD) shard: number, { SHARDS: shards }: ReportingConfig) {
    this.all = shards.filter((each) => each !== shard);
    const lowest = Math.min(...shards);
    this.deciding = lowest === shard ? undefined : lowest;
  }
}

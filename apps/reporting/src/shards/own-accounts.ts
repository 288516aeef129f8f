import { Inject, Injectable } from '@nestjs/common';
import { shardOf } from '@vaultsvc/crypto/encoding';
import { SERVED_SHARD } from '@vaultsvc/service';

/**
 * The accounts of this instance's shard (ADR 63). An event may concern two accounts, as a read does that of the Spark and that of the
 * reader: it comes to the shards of both, and each records what is of its own account.
 */
@Injectable()
export class OwnAccounts {
  constructor(@Inject(SERVED_SHARD) private readonly shard: number) {}

  /** Those of the records that are of these accounts. */
  of<R extends { readonly accountId: string }>(records: readonly R[]): R[] {
    return records.filter(({ accountId }) => shardOf(accountId) === this.shard);
  }
}

import { Injectable } from '@nestjs/common';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import { Database, statement, type Queryable } from '@vaultsvc/database';

/** Channels whose messages go to an endpoint of the account. */
export const targetChannels = ['webhook', 'slack', 'teams'] as const;
export type TargetChannel = (typeof targetChannels)[number];

/** An endpoint of the account. */
export interface Target {
  readonly url: string;
  /** Webhooks only. */
  readonly secret?: string | undefined;
}

/** A target as it was read; `sealed` tells it from every later one. */
export type StoredTarget = Target & Pick<SealedText, 'sealed'>;

/** The endpoints of accounts, sealed: the URL of an incoming webhook is a credential. */
@Injectable()
export class TargetRepository {
  constructor(
    private readonly database: Database,
    private readonly texts: SealedTexts,
  ) {}

  async read(accountId: string): Promise<ReadonlyMap<TargetChannel, StoredTarget>> {
    const rows = await this.database.query<SealedText & { channel: TargetChannel }>(readTargets, [accountId]);
    const opened = rows.map(async ({ channel, ...text }) => {
      const json = await this.texts.open([accountId, channel], text);
      return [channel, { ...(JSON.parse(json) as Target), sealed: text.sealed }] as const;
    });
    return new Map(await Promise.all(opened));
  }

  /** Before the transaction that stores it: sealing may wait for KMS. */
  seal(accountId: string, channel: TargetChannel, target: Target): Promise<SealedText> {
    return this.texts.seal([accountId, channel], JSON.stringify(target));
  }

  /** False if the target is no longer the known one, or no longer none. */
  async put(
    tx: Queryable,
    accountId: string,
    channel: TargetChannel,
    { data_key_id, sealed }: SealedText,
    known: StoredTarget | undefined,
  ): Promise<boolean> {
    const values = [accountId, channel, data_key_id, sealed, known?.sealed ?? null];
    return (await tx.query(putTarget, values)).length === 1;
  }

  async delete(tx: Queryable, accountId: string, channel: TargetChannel): Promise<void> {
    await tx.query(deleteTarget, [accountId, channel]);
  }
}

const readTargets = statement(
  'notify.read-targets',
  `SELECT channel, data_key_id, sealed FROM channel_targets WHERE account_id = $1`,
);

const putTarget = statement(
  'notify.put-target',
  `INSERT INTO channel_targets (account_id, channel, data_key_id, sealed) VALUES ($1, $2, $3, $4)
   ON CONFLICT (account_id, channel) DO UPDATE SET data_key_id = $3, sealed = $4 WHERE channel_targets.sealed = $5
   RETURNING channel`,
);

const deleteTarget = statement(
  'notify.delete-target',
  `DELETE FROM channel_targets WHERE account_id = $1 AND channel = $2`,
);

import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { NewPushToken, PushPlatform, PushToken } from '@vaultsvc/contracts/notify';
import { SealedTexts, type SealedText } from '@vaultsvc/crypto/data-keys';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, epochSeconds, namedStatement, statement } from '@vaultsvc/database';
import { directoryKeyOfText } from '../recipients/recipient.js';
import { endpointOf } from './subscription-endpoint.js';

/** A device to which a message is sent. */
export interface Device {
  readonly id: string;
  readonly platform: PushPlatform;
  readonly token: string;
}

/** Devices of one recipient that receive a message: the newest. */
const DEVICES_MAX = 10;
const LIST_MAX = 1_000;
const ENDING = 6;

/** The registered devices. Tokens are sealed; a hash of what identifies the device finds one that is registered again. */
@Injectable()
export class PushTokenRepository {
  constructor(
    private readonly database: Database,
    private readonly texts: SealedTexts,
  ) {}

  /** A device that the account has registered before keeps its id, and belongs to the new recipient from now on. */
  async register(accountId: string, { platform, token, recipient_id }: NewPushToken): Promise<PushToken> {
    const identity = identityOf(platform, token);
    const hash = createHash('sha256').update(identity).digest();
    const { data_key_id, sealed } = await this.texts.seal([accountId, hash.toString('hex')], token);
    const values = register.valuesOf({
      id: newId('ptk_'),
      accountId,
      directoryKey: directoryKeyOfText(recipient_id),
      platform,
      recipientId: recipient_id,
      hash,
      ending: identity.slice(-ENDING),
      dataKeyId: data_key_id,
      sealed,
      hashOf: platform === 'web' ? 'endpoint' : 'token',
    });
    const [row] = await this.database.query<PushToken>(register, values);
    return row as PushToken;
  }

  /** Newest first; of one recipient, or of all. */
  list(accountId: string, recipientId: string | undefined): Promise<PushToken[]> {
    const key = recipientId === undefined ? null : directoryKeyOfText(recipientId);
    return this.database.query<PushToken>(list, [accountId, key]);
  }

  /** False if the account has no such device. */
  async delete(accountId: string, id: string): Promise<boolean> {
    return (await this.database.query(deleteToken, [accountId, id])).length > 0;
  }

  /** The newest devices of a recipient, on these platforms. */
  async devicesOf(
    accountId: string,
    directoryKey: string,
    platforms: readonly PushPlatform[],
  ): Promise<Device[]> {
    const rows = await this.database.query<DeviceRow>(devices, [accountId, directoryKey, platforms]);
    return Promise.all(
      rows.map(async ({ id, platform, token_hash: hash, ...text }) => ({
        id,
        platform,
        token: await this.texts.open([accountId, hash.toString('hex')], text),
      })),
    );
  }
}

/** A browser may change the keys of its subscription and the order of its members; its endpoint stays. */
function identityOf(platform: PushPlatform, token: string): string {
  return platform === 'web' ? endpointOf(token) : token;
}

interface DeviceRow extends SealedText {
  readonly id: string;
  readonly platform: PushPlatform;
  readonly token_hash: Buffer;
}

const SHOWN = `id AS push_token_id, platform, recipient_id, token_ending, ${epochSeconds('created_at')}`;

interface PushTokenInsert {
  readonly id: string;
  readonly accountId: string;
  readonly directoryKey: string;
  readonly platform: PushPlatform;
  readonly recipientId: string;
  readonly hash: Buffer;
  readonly ending: string;
  readonly dataKeyId: string;
  readonly sealed: Buffer;
  readonly hashOf: 'endpoint' | 'token';
}

const register = namedStatement<PushTokenInsert>(
  'notify.register-push-token',
  (v) => `
   INSERT INTO push_tokens AS p (id, account_id, directory_key, platform, recipient_id, token_hash, token_ending, data_key_id, sealed,
                                 hash_of)
   VALUES (${v.id}, ${v.accountId}, ${v.directoryKey}, ${v.platform}, ${v.recipientId}, ${v.hash}, ${v.ending}, ${v.dataKeyId},
           ${v.sealed}, ${v.hashOf})
   ON CONFLICT (account_id, token_hash) DO UPDATE
      SET directory_key = excluded.directory_key, platform = excluded.platform, recipient_id = excluded.recipient_id,
          token_ending = excluded.token_ending, data_key_id = excluded.data_key_id, sealed = excluded.sealed,
          hash_of = excluded.hash_of, created_at = now()
   RETURNING ${SHOWN}`,
);

const list = statement(
  'notify.list-push-tokens',
  `SELECT ${SHOWN} FROM push_tokens p
    WHERE account_id = $1 AND ($2::text IS NULL OR directory_key = $2) ORDER BY p.created_at DESC, id LIMIT ${LIST_MAX}`,
);

const deleteToken = statement(
  'notify.delete-push-token',
  `DELETE FROM push_tokens WHERE account_id = $1 AND id = $2 RETURNING id`,
);

const devices = statement(
  'notify.find-devices',
  `SELECT id, platform, token_hash, data_key_id, sealed FROM push_tokens
    WHERE account_id = $1 AND directory_key = $2 AND platform = ANY($3::text[]) ORDER BY created_at DESC LIMIT ${DEVICES_MAX}`,
);

import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { lookupHash, parseToken } from '@vaultsvc/crypto/tokens';
import { Database, statement } from '@vaultsvc/database';
import type { CrmCaller } from './crm-caller.js';
import { normalizeId } from './record-key.js';

/** To whom Vault Access Tokens were given: by their hash, so that a copy of the table opens nothing (CRA-06). */
@Injectable()
export class RecordTokens {
  readonly everySeconds = 3_600;

  constructor(private readonly database: Database) {}

  async give(vat: string, caller: CrmCaller, expiresAt: number): Promise<void> {
    await this.database.query(insertToken, [lookupOf(vat), ...personOf(caller), expiresAt]);
  }

  /** Throws VERIFIED_REQUEST_REFUSED for a token that was not given to this person of this installation. */
  async assertOf(vat: string, caller: CrmCaller): Promise<void> {
    if ((await this.database.query(findToken, [lookupOf(vat), ...personOf(caller)])).length === 0)
      throw new AppError('VERIFIED_REQUEST_REFUSED');
  }

  /** Deletes expired tokens some time after their end, so that they are answered as expired. */
  async run(): Promise<void> {
    await this.database.query(deleteExpired, []);
  }
}

/** The person of an installation, whichever form of their id the CRM has sent. */
function personOf({ installation, userId }: CrmCaller): unknown[] {
  const { accountId, appId, generation } = installation;
  return [accountId, appId, generation, normalizeId(appId, 'user_id', userId)];
}

function lookupOf(vat: string): Buffer {
  const bytes = parseToken('vat', vat);
  if (!bytes) throw new AppError('VERIFIED_REQUEST_REFUSED');
  return lookupHash('vat', bytes);
}

const insertToken = statement(
  'integrations.insert-token',
  `INSERT INTO record_tokens (lookup, account_id, app_id, generation, user_id, expires_at)
   VALUES ($1, $2, $3, $4, $5, to_timestamp($6))`,
);

const findToken = statement(
  'integrations.find-token',
  `SELECT 1 FROM record_tokens
    WHERE lookup = $1 AND account_id = $2 AND app_id = $3 AND generation = $4 AND user_id = $5`,
);

const deleteExpired = statement(
  'integrations.delete-expired-tokens',
  `DELETE FROM record_tokens WHERE expires_at <= now() - interval '1 day'`,
);

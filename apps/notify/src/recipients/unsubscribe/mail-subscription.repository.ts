import { Injectable } from '@nestjs/common';
import { MAIL_CATEGORIES_MAX } from '@vaultsvc/contracts/notify';
import { Database, statement } from '@vaultsvc/database';

const EMAIL = 'email:';

/** What an account has sent to an address, as long as it keeps the history of its sends. */
@Injectable()
export class MailSubscriptionRepository {
  constructor(private readonly database: Database) {}

  /** The categories of sends to an address, the latest first. None for the key of a directory id. */
  async categoriesOf(accountId: string, directoryKey: string): Promise<string[]> {
    if (!directoryKey.startsWith(EMAIL)) return [];
    const values = [accountId, directoryKey.slice(EMAIL.length)];
    const rows = await this.database.query<{ category: string }>(categories, values);
    return rows.map(({ category }) => category);
  }
}

// The collation C changes ASCII letters only, as identityKey does.
const categories = statement(
  'notify.categories-of-address',
  `SELECT category FROM (
     SELECT DISTINCT ON (lower(s.category)) s.category, s.created_at
       FROM recipients r JOIN sends s ON s.id = r.send
      WHERE r.account_id = $1 AND r.email IS NOT NULL AND lower(r.email COLLATE "C") = $2
        AND s.category IS NOT NULL AND s.state = 'accepted'
      ORDER BY lower(s.category), s.created_at DESC) AS used
   ORDER BY created_at DESC LIMIT ${MAIL_CATEGORIES_MAX}`,
);

import { Injectable } from '@nestjs/common';
import { formerKeysOf } from '@vaultsvc/contracts';
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
    const values = [accountId, formerKeysOf(directoryKey.slice(EMAIL.length))];
    const rows = await this.database.query<{ category: string }>(categories, values);
    return rows.map(({ category }) => category);
  }
}

// Addresses are stored as senders wrote them. The collation C changes ASCII letters only; an address whose domain is written in
// other capitals is not found here, which shortens the list of categories and no choice.
const categories = statement(
  'notify.categories-of-address',
  `SELECT category FROM (
     SELECT DISTINCT ON (lower(s.category)) s.category, s.created_at
       FROM recipients r JOIN sends s ON s.id = r.send
      WHERE r.account_id = $1 AND r.email IS NOT NULL AND lower(r.email COLLATE "C") = ANY($2::text[])
        AND s.category IS NOT NULL AND s.state = 'accepted'
      ORDER BY lower(s.category), s.created_at DESC) AS used
   ORDER BY created_at DESC LIMIT ${MAIL_CATEGORIES_MAX}`,
);

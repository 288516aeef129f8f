import { Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Database, statement } from '@vaultsvc/database';
import { linkStateError } from '../link/link-state-error.js';
import type { VisitedLink } from './visited-link.repository.js';

/** What there is to say of a Spark before it is read. */
@Injectable()
export class SparkDescriptionRepository {
  constructor(private readonly database: Database) {}

  /** Its content type. Throws as an opening would; a Spark that is being read may yet be given back. */
  async contentTypeOf({ assetId, accountId }: VisitedLink): Promise<string> {
    const [row] = await this.database.query<SparkRow>(describeSpark, [assetId, accountId]);
    if (!row) throw new AppError('LINK_NOT_FOUND');
    if (row.is_burned || row.is_expired) throw linkStateError(row.is_burned ? 'consumed' : 'expired');
    return row.content_type;
  }
}

interface SparkRow {
  content_type: string;
  is_burned: boolean;
  is_expired: boolean;
}

const describeSpark = statement(
  'sparks.describe-spark',
  `SELECT content_type, status = 'ash' AS is_burned, expires_at <= clock_timestamp() AS is_expired
     FROM sparks WHERE id = $1 AND account_id = $2`,
);

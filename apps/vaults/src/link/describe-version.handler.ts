import { Controller } from '@nestjs/common';
import { AppError, type Input } from '@vaultsvc/contracts';
import { describeVersion, type CurrentVersion } from '@vaultsvc/contracts/vaults';
import { Database, statement } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';

/** Tells notify whether a file is still the one that was opened, before it is signed (NTF-10). */
@Controller()
export class DescribeVersion {
  constructor(private readonly database: Database) {}

  @Handles(describeVersion)
  async handle({ body }: Input<typeof describeVersion>): Promise<CurrentVersion> {
    const { account_id, vault_id, ingot_id } = body;
    const [row] = await this.database.query<CurrentVersion>(findCurrent, [ingot_id, vault_id, account_id]);
    if (!row) throw new AppError('INGOT_NOT_FOUND');
    return row;
  }
}

const findCurrent = statement(
  'vaults.describe-current-version',
  `SELECT i.current_version AS version_id, i.size_bytes
     FROM ingots i JOIN vaults v ON v.id = i.vault_id AND v.status = 'active'
    WHERE i.id = $1 AND i.vault_id = $2 AND i.account_id = $3 AND i.current_version IS NOT NULL`,
);

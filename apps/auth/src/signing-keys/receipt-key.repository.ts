import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import { KeyRepository, keyStatements } from './key.repository.js';

/** The keys of receipts. Outlived ones keep their public parts, because receipts do not expire (NTF-45). */
@Injectable()
export class ReceiptKeyRepository extends KeyRepository {
  constructor(database: Database) {
    super(database, statements);
  }
}

const statements = keyStatements(
  'receipt',
  `UPDATE receipt_keys k SET sealed = NULL, data_key_id = NULL WHERE k.sealed IS NOT NULL`,
);

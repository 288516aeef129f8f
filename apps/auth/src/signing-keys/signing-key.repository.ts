import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import { KeyRepository, keyStatements } from './key.repository.js';

/** The keys of tokens. Outlived ones are deleted: no valid token needs their public parts. */
@Injectable()
export class SigningKeyRepository extends KeyRepository {
  constructor(database: Database) {
    super(database, statements);
  }
}

const statements = keyStatements('signing', `DELETE FROM signing_keys k WHERE true`);

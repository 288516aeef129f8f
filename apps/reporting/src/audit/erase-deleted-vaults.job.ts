import { Injectable } from '@nestjs/common';
import type { Job } from '@vaultsvc/service';
import { AuditErasureRepository } from './audit-erasure.repository.js';

/** Erases the entries of deleted vaults (AUD-13). Safe on any number of instances: each locks the vault that it works on. */
@Injectable()
export class EraseDeletedVaults implements Job {
  readonly everySeconds = 5;

  constructor(private readonly erasures: AuditErasureRepository) {}

  async run(): Promise<void> {
    while (await this.erasures.eraseSome());
  }
}

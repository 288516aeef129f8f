import { Injectable } from '@nestjs/common';
import { Database } from '@vaultsvc/database';
import type { Job } from '@vaultsvc/service';
import { accountPseudonym, encodeHead, hourOf } from '@vaultsvc/transparency';
import { Gauge } from 'prom-client';
import { AuditLogConfig } from '../../settings/audit-log-config.js';
import { LogConflict } from './log-files.js';
import { LogHeadsRepository, type UnloggedHead } from './log-heads.repository.js';
import { STAGED_LEAVES_MAX, TransparencyLog } from './transparency-log.js';

const conflict = new Gauge({
  name: 'vaultsvc_audit_log_conflict',
  help: '1 while the published transparency log is not the one that this database continues: nothing is published.',
});

/** Puts the heads of all chains that have advanced into the transparency log (AUD-14). Safe on any number of instances. */
@Injectable()
export class PublishHeads implements Job {
  readonly everySeconds: number;

  constructor(
    private readonly database: Database,
    private readonly heads: LogHeadsRepository,
    private readonly log: TransparencyLog,
    config: AuditLogConfig,
  ) {
    this.everySeconds = config.AUDIT_LOG_EVERY_SECONDS;
  }

  async run(): Promise<void> {
    try {
      do await this.log.publish();
      while (await this.#stage());
      conflict.set(0);
    } catch (error) {
      if (error instanceof LogConflict) conflict.set(1);
      throw error;
    }
  }

  /** True when leaves are staged, which the next `publish` appends. */
  #stage(): Promise<boolean> {
    return this.database.transaction(async (tx) => {
      const heads = await this.heads.unlogged(tx, STAGED_LEAVES_MAX);
      if (heads.length === 0) return false;
      const hour = hourOf(Date.now());
      const leaves = heads.map((head) => leafOf(head, hour));
      const index = await this.log.stage(tx, leaves);
      if (index === undefined) return true; // another instance has staged leaves
      const staged = heads.map(({ accountId, seq }, place) => ({
        accountId,
        seq,
        index: index + place,
        leaf: leaves[place] as Buffer,
      }));
      await this.heads.record(tx, staged);
      return true;
    });
  }
}

function leafOf({ accountId, seq, hash, pseudonymSalt }: UnloggedHead, hour: number): Buffer {
  const pseudonym = accountPseudonym(pseudonymSalt, accountId);
  return encodeHead({ pseudonym, seq, head: hash.toString('hex'), hour });
}

import { Injectable } from '@nestjs/common';
import type { Job } from '@vaultsvc/service';
import { AuditSinksConfig } from '../../settings/audit-sinks-config.js';
import { FeedRepository } from './feed.repository.js';

/** Moves appended entries to the feed, and deletes what all sinks have received. Safe on any number of instances. */
@Injectable()
export class ExtendFeed implements Job {
  readonly everySeconds: number;

  constructor(
    private readonly feed: FeedRepository,
    config: AuditSinksConfig,
  ) {
    // Without sinks it deletes what a removed one has left.
    this.everySeconds = config.AUDIT_SINKS.length > 0 ? 1 : 60;
  }

  async run(): Promise<void> {
    while (await this.feed.move());
    while (await this.feed.deletePassed());
  }
}

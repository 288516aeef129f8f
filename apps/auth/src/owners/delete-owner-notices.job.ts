import { Injectable } from '@nestjs/common';
import { OwnerNotices } from './owner-notices.js';

/** Deletes the contents of old mails about the owners. Any number of instances may run it. */
@Injectable()
export class DeleteOwnerNotices {
  readonly everySeconds = 3_600;

  constructor(private readonly notices: OwnerNotices) {}

  run(): Promise<void> {
    return this.notices.deleteOld();
  }
}

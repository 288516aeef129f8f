import { Injectable } from '@nestjs/common';
import { UploadLifecycle } from './upload-lifecycle.js';

/** Lets replaced content go when the last download of it has ended, a day after its replacement at the latest. */
@Injectable()
export class DropReplacedVersions {
  readonly everySeconds = 60;

  constructor(private readonly ends: UploadLifecycle) {}

  run(): Promise<void> {
    return this.ends.dropUnusedReplaced();
  }
}

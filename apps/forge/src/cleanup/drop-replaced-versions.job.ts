import { Injectable } from '@nestjs/common';
import { UploadLifecycle } from './upload-lifecycle.js';

/** Drops replaced versions when their last download has ended, or 24 hours after the last one could start. */
@Injectable()
export class DropReplacedVersions {
  readonly everySeconds = 60;

  constructor(private readonly lifecycle: UploadLifecycle) {}

  run(): Promise<void> {
    return this.lifecycle.dropUnusedReplaced();
  }
}

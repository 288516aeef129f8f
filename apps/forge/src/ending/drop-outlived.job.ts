import { Injectable } from '@nestjs/common';
import { UploadEnds } from './upload-ends.js';

/** Lets replaced content go when the last download of it has ended, a day after its replacement at the latest. */
@Injectable()
export class DropOutlived {
  readonly everySeconds = 60;

  constructor(private readonly ends: UploadEnds) {}

  run(): Promise<void> {
    return this.ends.dropOutlived();
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { UploadEnds } from './upload-ends.js';

/** Ends uploads that nobody goes on with (OPEN-16), and the wait for those that nobody began. */
@Injectable()
export class ExpireUploads {
  readonly everySeconds = 60;

  constructor(@Inject(UploadEnds) private readonly ends: UploadEnds) {}

  run(): Promise<void> {
    return this.ends.expire();
  }
}

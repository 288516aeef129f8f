import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { UploadEndRepository } from './upload-end.repository.js';
import { UploadEnds } from './upload-ends.js';

const open = new Gauge({
  name: 'vaultsvc_uploads_open',
  help: 'Uploads that have begun and not ended, of all copies; looked up once a minute.',
});

/** Ends uploads that nobody goes on with (OPEN-16), and the wait for those that nobody began. */
@Injectable()
export class ExpireUploads {
  readonly everySeconds = 60;

  constructor(
    private readonly ends: UploadEnds,
    private readonly uploads: UploadEndRepository,
  ) {}

  async run(): Promise<void> {
    await this.ends.expire();
    open.set(await this.uploads.countOpen());
  }
}

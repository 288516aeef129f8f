import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { UploadLifecycleRepository } from './upload-lifecycle.repository.js';
import { UploadLifecycle } from './upload-lifecycle.js';

const open = new Gauge({
  name: 'vaultsvc_uploads_open',
  help: 'Uploads that have begun and not ended, of all copies; looked up once a minute.',
});

/** Ends uploads that nobody goes on with (OPEN-16), and the wait for those that nobody began. */
@Injectable()
export class ExpireUploads {
  readonly everySeconds = 60;

  constructor(
    private readonly ends: UploadLifecycle,
    private readonly uploads: UploadLifecycleRepository,
  ) {}

  async run(): Promise<void> {
    await this.ends.expire();
    open.set(await this.uploads.countOpen());
  }
}

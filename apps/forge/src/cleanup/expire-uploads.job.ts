import { Injectable } from '@nestjs/common';
import { Gauge } from 'prom-client';
import { UploadLifecycleRepository } from './upload-lifecycle.repository.js';
import { UploadLifecycle } from './upload-lifecycle.js';

const open = new Gauge({
  name: 'vaultsvc_uploads_open',
  help: 'Open uploads, of all instances; updated once a minute.',
});

/** Ends idle and overlong uploads (OPEN-16), and upload ISTKs that expired unused. */
@Injectable()
export class ExpireUploads {
  readonly everySeconds = 60;

  constructor(
    private readonly lifecycle: UploadLifecycle,
    private readonly uploads: UploadLifecycleRepository,
  ) {}

  async run(): Promise<void> {
    await this.lifecycle.expire();
    open.set(await this.uploads.countOpen());
  }
}

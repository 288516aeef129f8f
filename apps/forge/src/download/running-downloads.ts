import type { Writable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConnectionClosed } from '@vaultsvc/http';
import { ForcedShutdown } from '@vaultsvc/service';

/** The downloads of this process: it ends when the account of each is settled, or could not be in time. */
@Injectable()
export class RunningDownloads implements OnApplicationShutdown {
  readonly #running = new Map<Writable, Promise<void>>();

  constructor(graceOver: ForcedShutdown) {
    graceOver.add(() => this.#cut());
  }

  /** Follows a download to its settlement. */
  async track(sink: Writable, download: Promise<void>): Promise<void> {
    this.#running.set(sink, download);
    try {
      await download;
    } finally {
      this.#running.delete(sink);
    }
  }

  /** Of a caller that broke off as the last one, the account is settled when its connection is gone already. */
  onApplicationShutdown(): Promise<void> {
    return this.#settled();
  }

  async #cut(): Promise<void> {
    const settled = this.#settled();
    for (const sink of this.#running.keys()) sink.destroy(new ConnectionClosed('this process ends'));
    await settled;
  }

  async #settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

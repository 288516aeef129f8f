import type { Writable } from 'node:stream';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ConnectionClosed } from '@vaultsvc/http';
import { ForcedShutdown } from '@vaultsvc/service';

/** The unsettled downloads of this process. Shutdown waits until each is settled, or has failed to settle. */
@Injectable()
export class RunningDownloads implements OnApplicationShutdown {
  readonly #running = new Map<Writable, Promise<void>>();

  constructor(forcedShutdown: ForcedShutdown) {
    forcedShutdown.add(() => this.#cutAll());
  }

  /** Tracks a download until it is settled. */
  async track(body: Writable, download: Promise<void>): Promise<void> {
    this.#running.set(body, download);
    try {
      await download;
    } finally {
      this.#running.delete(body);
    }
  }

  /** A download whose client disconnected is settled after its connection has closed. */
  onApplicationShutdown(): Promise<void> {
    return this.#allSettled();
  }

  async #cutAll(): Promise<void> {
    const settled = this.#allSettled();
    for (const body of this.#running.keys()) body.destroy(new ConnectionClosed('this process ends'));
    await settled;
  }

  async #allSettled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }
}

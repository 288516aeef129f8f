import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Counter, Gauge } from 'prom-client';
import { ForgeConfig } from '../config.js';

const receiving = new Gauge({
  name: 'vaultsvc_chunks_receiving',
  help: 'Chunks that are being received at this moment.',
});
const refused = new Counter({
  name: 'vaultsvc_chunks_refused_total',
  help: 'Chunks that were refused because CHUNKS_AT_ONCE_MAX others were being received.',
});

/** Every seat is taken. Clients of tus come again after an INTERNAL_ERROR, and find another copy or a free seat. */
class Full extends Error {
  override readonly name = 'Full';
}

/** What bounds the memory and the file handles of a process: so many chunks at once and no more. */
@Injectable()
export class ChunkSeats {
  #taken = 0;

  constructor(@Inject(ForgeConfig) private readonly config: ForgeConfig) {}

  /** Runs the work in a seat, or throws INTERNAL_ERROR when there is none. */
  async within<T>(work: () => Promise<T>): Promise<T> {
    if (this.#taken >= this.config.CHUNKS_AT_ONCE_MAX) throw this.#full();
    this.#taken += 1;
    receiving.inc();
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      receiving.dec();
    }
  }

  #full(): AppError {
    refused.inc();
    return new AppError('INTERNAL_ERROR', undefined, { cause: new Full('all seats for chunks are taken') });
  }
}

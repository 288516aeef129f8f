import { Injectable } from '@nestjs/common';
import { LinkKeyRepository } from './link-key.repository.js';

/** Deletes the keys of expired one-time links. Safe on any number of instances. */
@Injectable()
export class DeleteExpiredLinkKeys {
  readonly everySeconds = 60;

  constructor(private readonly keys: LinkKeyRepository) {}

  run(): Promise<void> {
    return this.keys.deleteExpired();
  }
}

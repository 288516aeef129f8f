import { Injectable } from '@nestjs/common';
import { LinkKeyRepository } from './link-key.repository.js';

/** Deletes the keys of one-time links whose time has passed. Any number of copies may. */
@Injectable()
export class ForgetLinkKeys {
  readonly everySeconds = 60;

  constructor(private readonly keys: LinkKeyRepository) {}

  run(): Promise<void> {
    return this.keys.forgetExpired();
  }
}

import { Injectable } from '@nestjs/common';
import type { WarningReason } from '@vaultsvc/contracts/sparks';
import { isPrivateDestination } from './private-destination.js';
import { UrlSafety } from './url-safety.js';

/** Asks whoever may know something against a URL; the first who does decides. */
@Injectable()
export class SafetySources extends UrlSafety {
  override async check(url: string): Promise<WarningReason | undefined> {
    return isPrivateDestination(new URL(url).hostname) ? 'private_address' : undefined;
  }
}

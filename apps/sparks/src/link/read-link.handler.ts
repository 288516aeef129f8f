import { Injectable } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { readLink, type SparkLink } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { OwnLinks } from './own-links.js';
import { ShownLinks } from './shown-links.js';

@Injectable()
export class ReadLink {
  constructor(
    private readonly links: OwnLinks,
    private readonly shown: ShownLinks,
  ) {}

  @Handles(readLink)
  async handle({ params }: Input<typeof readLink>, context: AccountContext): Promise<SparkLink> {
    const link = await this.links.find(params.link_code, context.credential.accountId);
    return this.shown.describe(link);
  }
}

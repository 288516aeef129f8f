import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { resolveLinks, type ResolvedLinks } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkRepository } from './link.repository.js';
import { LinkSealer } from './link-sealer.js';

@Controller()
export class ResolveLinks {
  constructor(
    private readonly links: LinkRepository,
    private readonly sealer: LinkSealer,
  ) {}

  @Handles(resolveLinks)
  async handle({ body }: Input<typeof resolveLinks>): Promise<ResolvedLinks> {
    const codes = await this.sealer.openCodes(await this.links.findCodes(body.link_ids, body.account_id));
    return { links: [...codes].map(([link_id, link_code]) => ({ link_id, link_code })) };
  }
}

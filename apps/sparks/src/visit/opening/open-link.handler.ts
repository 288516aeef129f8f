import { Controller } from '@nestjs/common';
import type { Input, VisitContext } from '@vaultsvc/contracts';
import { openLink, type LinkContent } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { DurableShareRedirect } from './durable-share-redirect.js';
import { LinkOpener } from './link-opener.js';

@Controller()
export class OpenLink {
  constructor(
    private readonly opener: LinkOpener,
    private readonly redirects: DurableShareRedirect,
  ) {}

  @Handles(openLink)
  async handle({ params, body }: Input<typeof openLink>, context: VisitContext): Promise<LinkContent> {
    try {
      return await this.opener.open(params.link_code, body, context);
    } catch (error) {
      const redirect = await this.redirects.insteadOf(error, params.link_code, context);
      if (redirect) return redirect;
      throw error;
    }
  }
}

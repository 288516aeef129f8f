import { Controller } from '@nestjs/common';
import type { AccountContext, Input } from '@vaultsvc/contracts';
import { openShare, type OpenedSharedFile } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { LinkOpener } from './link-opener.js';
import { shareVisit } from './share-visit.js';

@Controller()
export class OpenShare {
  constructor(private readonly opener: LinkOpener) {}

  @Handles(openShare)
  async handle(
    { params, body }: Input<typeof openShare>,
    context: AccountContext,
  ): Promise<OpenedSharedFile> {
    const opening = { describe: false, ...body };
    const { type, ...file } = await this.opener.open(params.code, opening, shareVisit(context));
    return { ...file, type: type === 'confirm' ? 'confirm' : 'file' };
  }
}

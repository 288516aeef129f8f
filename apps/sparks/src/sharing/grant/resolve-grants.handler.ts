import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { resolveGrants, type ResolvedGrants } from '@vaultsvc/contracts/sparks';
import { Handles } from '@vaultsvc/messaging';
import { SparksConfig } from '../../config.js';
import { LinkSealer } from '../../link/link-sealer.js';
import { GrantStateRepository } from './grant-state.repository.js';

/** Only the code of a link that still opens is shown: notify delivers it. */
@Controller()
export class ResolveGrants {
  constructor(
    private readonly states: GrantStateRepository,
    private readonly sealer: LinkSealer,
    private readonly config: SparksConfig,
  ) {}

  @Handles(resolveGrants)
  async handle({ body }: Input<typeof resolveGrants>): Promise<ResolvedGrants> {
    const grants = await this.states.find(body.link_ids, body.account_id);
    const codes = await this.sealer.openCodes(grants.filter(({ status }) => status === 'active'));
    return {
      grants: grants.map(({ id, status, expires_at }) => {
        const code = codes.get(id);
        const link_url = code === undefined ? null : this.config.linkUrl('link', code);
        return { link_id: id, status, link_url, expires_at };
      }),
    };
  }
}

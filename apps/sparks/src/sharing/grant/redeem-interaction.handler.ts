import { Controller } from '@nestjs/common';
import { AppError, type Input } from '@vaultsvc/contracts';
import { redeemInteraction, type RevealedGrant } from '@vaultsvc/contracts/sparks';
import { lookupHash, parseBearer } from '@vaultsvc/crypto/tokens';
import { Handles } from '@vaultsvc/messaging';
import { codeHashOf, LinkSealer } from '../../link/link-sealer.js';
import type { RevealText } from '../../visit/admission/link-policy.repository.js';
import { GrantStateRepository } from './grant-state.repository.js';

/** The link of a reveal is consumed, so its code alone proves nothing: the token does (OPEN-64). */
@Controller()
export class RedeemInteraction {
  constructor(
    private readonly states: GrantStateRepository,
    private readonly sealer: LinkSealer,
  ) {}

  @Handles(redeemInteraction)
  async handle({ body }: Input<typeof redeemInteraction>): Promise<RevealedGrant> {
    const codeHash = codeHashOf(body.link_code);
    const token = parseBearer(body.interaction_token);
    const lookup = token ? lookupHash('interaction', token) : null;
    const reveal = codeHash && (await this.states.findReveal(codeHash, lookup));
    if (!reveal) throw new AppError('LINK_NOT_FOUND');
    if (!reveal.is_redeemable) throw new AppError('INTERACTION_TOKEN_INVALID');
    const { account_id, link_id, verification_level, kid, sealed_reveal: sealed, revealed_at } = reveal;
    const [text] = await this.sealer.openTexts([{ linkId: link_id, kid, sealed }]);
    const { verified_by, action_hash, version = null } = JSON.parse(text as string) as RevealText;
    return { account_id, link_id, verified_by, verification_level, action_hash, revealed_at, version };
  }
}

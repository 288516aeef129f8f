import { Controller } from '@nestjs/common';
import type { CallContext, Input, VaultContext } from '@vaultsvc/contracts';
import { createGrantLink, type CreatedGrantLink, type NewGrantLink } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { VaultAuthorizer } from '../session/vault-authorizer.js';
import { OneTimeLinkCreator } from './one-time-link-creator.js';

/** Creates the link of a send (NTF-07). Notify reads its code from sparks when it delivers it. */
@Controller()
export class CreateGrantLink {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly creator: OneTimeLinkCreator,
  ) {}

  @Handles(createGrantLink)
  async handle({ body }: Input<typeof createGrantLink>, call: CallContext): Promise<CreatedGrantLink> {
    const { link_id, group_id, policy, identity, expires_in_seconds: ttlSeconds } = body;
    const context = contextOfActor(body, call);
    const link = { link_id, ttlSeconds, grant: { group_id, policy, identity } };
    const { ingot_id, expires_at } = await this.access.withOpenVault(body, context, 'write', (vault) =>
      this.creator.create(vault, body.ingot_id, link, context),
    );
    return { link_id, ingot_id, expires_at };
  }
}

/**
 * The context of a call by the caller of notify, whose credential the gateway has checked there. The stored terms of the
 * token decide what it may do; the level that the gateway would have read from them is not known here.
 */
function contextOfActor(
  { account_id, actor_type, actor_id, actor, vat }: NewGrantLink,
  call: CallContext,
): VaultContext {
  const userId = actor_type === 'session' ? actor_id : null;
  const role = { role: 'member', seat: 'full' } as const;
  return {
    ...call,
    credential: { kind: actor_type, accountId: account_id, userId, credentialId: actor_id, ...role, actor },
    vault: { token: vat, accessLevel: 'read_write' },
  };
}

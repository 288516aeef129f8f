import { Controller } from '@nestjs/common';
import { AppError, identityKey, validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import type { IngotShare } from '@vaultsvc/contracts/sparks';
import { updateSharing, type IngotSharing, type SharingChange } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { ConcurrentModification, retryOnConflict } from '@vaultsvc/database';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { VaultAuthorizer, type OpenVault } from '../session/vault-authorizer.js';
import { ShareCreator } from './share-creator.js';
import { ShareLifecycle } from './share-lifecycle.js';
import { ShareLinkClient } from './share-link-client.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';
import { SharingReader, type Sharing } from './sharing-reader.js';

/** Who may open a link. */
type Terms = Required<Pick<SharingChange, 'visibility' | 'invites'>>;

/** The ingot of the request and its open vault. */
interface Target {
  readonly ingot: IngotOfVault;
  readonly isReady: boolean;
  readonly vault: OpenVault;
  readonly context: VaultContext;
}

@Controller()
export class UpdateSharing {
  constructor(
    private readonly access: VaultAuthorizer,
    private readonly ingots: IngotFinder,
    private readonly shares: ShareRepository,
    private readonly reader: SharingReader,
    private readonly creator: ShareCreator,
    private readonly lifecycle: ShareLifecycle,
    private readonly links: ShareLinkClient,
  ) {}

  @Handles(updateSharing)
  async handle({ params, body }: Input<typeof updateSharing>, context: VaultContext): Promise<IngotSharing> {
    return this.access.withOpenVault(params, context, 'write', async (vault) => {
      const { ingotId, currentVersion } = await this.ingots.find(vault.ids, params.ingot_id);
      const ingot = { ...vault.ids, ingotId };
      const target = { ingot, isReady: currentVersion !== null, vault, context };
      const link = await retryOnConflict(() => this.#apply(target, body));
      return this.reader.present(ingot, link);
    });
  }

  /** Returns the link after the change; undefined when the ingot is not shared. */
  async #apply(target: Target, change: SharingChange): Promise<IngotShare | undefined> {
    const sharing = await this.reader.read(target.ingot, target.context);
    const { shared = sharing.link !== undefined } = change;
    const terms = shared ? termsOf(change, sharing.link) : undefined;
    await this.shares.assertEnabled(target.ingot);
    if (!terms) return this.#end(target, sharing);
    if (sharing.share && sharing.link) return this.#update(target, sharing.share.linkId, sharing.link, terms);
    if (!target.isReady) throw new AppError('INGOT_NOT_READY');
    const { ingot, vault, context } = target;
    // A share without a link: the call that created it has not created the link yet, or it was stopped before.
    const linkId = sharing.share?.linkId ?? (await this.creator.create(ingot, vault, context));
    return this.#putLink(target, linkId, terms);
  }

  async #end({ ingot, vault, context }: Target, { share }: Sharing): Promise<undefined> {
    if (share) await this.lifecycle.end(ingot, share.linkId, vault.lock, context);
  }

  async #update(target: Target, linkId: string, link: IngotShare, terms: Terms): Promise<IngotShare> {
    if (!isChange(link, terms)) return link;
    const { ingot, vault, context } = target;
    if (!(await this.lifecycle.beginUpdate(ingot, linkId, vault.lock, context)))
      throw new ConcurrentModification();
    return this.#putLink(target, linkId, terms);
  }

  /** Throws `ConcurrentModification` when the link was revoked, or its share ended in the meantime. */
  async #putLink({ ingot, context }: Target, linkId: string, terms: Terms): Promise<IngotShare> {
    const link = await this.links.put(ingot, linkId, terms, context);
    if (!link) {
      await this.lifecycle.discard(ingot, linkId);
      throw new ConcurrentModification();
    }
    if ((await this.shares.find(ingot.ingotId))?.linkId === linkId) return link;
    await this.lifecycle.endLink(ingot, linkId, context);
    throw new ConcurrentModification();
  }
}

/**
 * The terms after a change: an absent visibility stays, absent invites end (SHR-04). Both are sent to sparks, so that of two
 * concurrent changes one applies as a whole. Invites need `invite_only`: with any other visibility people who are not invited
 * could open the file too (AMB-37).
 */
function termsOf(change: SharingChange, link: IngotShare | undefined): Terms {
  const { visibility = link?.visibility, invites = [] } = change;
  if (visibility === undefined)
    throw validationError({ field: 'visibility', message: 'visibility is required to share an ingot' });
  if (invites.length > 0 && visibility !== 'invite_only')
    throw validationError({ field: 'invites', message: 'invites is for visibility invite_only only' });
  return { visibility, invites };
}

function isChange(link: IngotShare, { visibility, invites }: Terms): boolean {
  if (visibility !== link.visibility) return true;
  return keysOf(invites) !== keysOf(link.invites.map(({ identity }) => identity));
}

/** Equal for the same people in any order and case. */
function keysOf(identities: readonly string[]): string {
  return [...new Set(identities.map(identityKey))].sort().join('\n');
}

import { Injectable } from '@nestjs/common';
import { AppError, identityKey, validationError, type Input, type VaultContext } from '@vaultsvc/contracts';
import type { IngotShare } from '@vaultsvc/contracts/sparks';
import { updateSharing, type IngotSharing, type SharingChange } from '@vaultsvc/contracts/vaults';
import { Handles } from '@vaultsvc/messaging';
import { ConcurrentModification, retryOnConflict } from '@vaultsvc/database';
import { IngotFinder } from '../ingot/ingot-finder.js';
import { VaultAccess, type OpenVault } from '../session/vault-access.js';
import { ShareBeginning } from './share-beginning.js';
import { ShareLinks } from './share-links.js';
import { ShareRepository, type IngotOfVault } from './share.repository.js';
import { SharingChanges } from './sharing-changes.js';
import { SharingState, type SharedState } from './sharing-state.js';

/** An ingot whose sharing is to change, by somebody who has opened its vault. */
interface Subject {
  readonly ingot: IngotOfVault;
  readonly isReady: boolean;
  readonly vault: OpenVault;
  readonly context: VaultContext;
}

@Injectable()
export class UpdateSharing {
  constructor(
    private readonly access: VaultAccess,
    private readonly ingots: IngotFinder,
    private readonly shares: ShareRepository,
    private readonly state: SharingState,
    private readonly beginning: ShareBeginning,
    private readonly changes: SharingChanges,
    private readonly links: ShareLinks,
  ) {}

  @Handles(updateSharing)
  async handle({ params, body }: Input<typeof updateSharing>, context: VaultContext): Promise<IngotSharing> {
    return this.access.withOpenVault(params, context, 'write', async (vault) => {
      const { ingotId, currentVersion } = await this.ingots.find(vault.ids, params.ingot_id);
      const ingot = { ...vault.ids, ingotId };
      const subject = { ingot, isReady: currentVersion !== null, vault, context };
      const link = await retryOnConflict(() => this.#apply(subject, body));
      return this.state.shown(ingot, link);
    });
  }

  /** The link as it is then; undefined: not shared. */
  async #apply(subject: Subject, change: SharingChange): Promise<IngotShare | undefined> {
    const state = await this.state.read(subject.ingot, subject.context);
    const { shared = state.link !== undefined } = change;
    if (shared) assertFits(change, state.link);
    await this.shares.assertEnabled(subject.ingot);
    if (!shared) return this.#end(subject, state);
    if (state.share && state.link) return this.#change(subject, state.share.linkId, state.link, change);
    if (!subject.isReady) throw new AppError('INGOT_NOT_READY');
    const { ingot, vault, context } = subject;
    // A share without a link: whoever began it has not come to the link yet, or never did.
    const linkId = state.share?.linkId ?? (await this.beginning.begin(ingot, vault, context));
    return this.#link(subject, linkId, change);
  }

  async #end({ ingot, vault, context }: Subject, { share }: SharedState): Promise<undefined> {
    if (share) await this.changes.end(ingot, share.linkId, vault.lock, context);
  }

  async #change(
    subject: Subject,
    linkId: string,
    link: IngotShare,
    change: SharingChange,
  ): Promise<IngotShare> {
    if (!isChange(link, change)) return link;
    const { ingot, vault, context } = subject;
    if (!(await this.changes.update(ingot, linkId, vault.lock, context))) throw new ConcurrentModification();
    return this.#link(subject, linkId, change);
  }

  /** A link that turns out to be withdrawn, or whose share has ended meanwhile, is none: begin anew on what is there. */
  async #link({ ingot, context }: Subject, linkId: string, change: SharingChange): Promise<IngotShare> {
    const link = await this.links.put(ingot, linkId, termsOf(change), context);
    if (!link) {
      await this.changes.forget(ingot, linkId);
      throw new ConcurrentModification();
    }
    if ((await this.shares.find(ingot.ingotId))?.linkId === linkId) return link;
    await this.changes.followEnd(ingot, linkId, context);
    throw new ConcurrentModification();
  }
}

/** Whoever names somebody means that nobody else may open it: with another visibility others could (AMB-37). */
function assertFits({ visibility, invites = [] }: SharingChange, link: IngotShare | undefined): void {
  const after = visibility ?? link?.visibility;
  if (after === undefined)
    throw validationError({ field: 'visibility', message: 'visibility must be given when sharing begins' });
  if (invites.length > 0 && after !== 'invite_only')
    throw validationError({ field: 'invites', message: 'invites is for visibility invite_only only' });
}

function isChange(link: IngotShare, { visibility = link.visibility, invites }: SharingChange): boolean {
  if (visibility !== link.visibility) return true;
  return invites !== undefined && keysOf(invites) !== keysOf(link.invites.map(({ identity }) => identity));
}

/** The same for the same people, in whatever order and case. */
function keysOf(identities: readonly string[]): string {
  return [...new Set(identities.map(identityKey))].sort().join('\n');
}

function termsOf({ visibility, invites }: SharingChange): Pick<SharingChange, 'visibility' | 'invites'> {
  return { ...(visibility !== undefined && { visibility }), ...(invites !== undefined && { invites }) };
}

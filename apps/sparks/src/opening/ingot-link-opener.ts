import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type VisitContext } from '@vaultsvc/contracts';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { openSharedFile, type SharedFile } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';
import { AccessRecorder } from './access-recorder.js';
import { LinkAdmission } from './link-admission.js';
import { linkStateError } from '../link/link-state-error.js';
import { OpeningRepository } from './opening.repository.js';
import type { VisitedLink } from './visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/**
 * Opens links of ingots. Vaults makes a URL for the file first; then the link is consumed, and only who has consumed it
 * gives the URL out (SHR-13). The URL of a loser is known to nobody. Where vaults or forge is away, nothing is lost.
 */
@Injectable()
export class IngotLinkOpener {
  constructor(
    private readonly bus: Bus,
    private readonly accesses: AccessRecorder,
    private readonly openings: OpeningRepository,
    private readonly gate: LinkAdmission,
  ) {}

  async describe(link: VisitedLink, context: VisitContext): Promise<LinkContent> {
    const { name, size_bytes } = await this.#ask(link, true, context);
    return { type: 'file', name, size_bytes };
  }

  async open(link: VisitedLink, proof: Proof | null, context: VisitContext): Promise<LinkContent> {
    const { download_url, name, size_bytes, content_type } = await this.#ask(link, false, context);
    if (download_url === null) throw new Error('vaults has opened a shared file without a URL');
    const access = await this.accesses.prepare(link, proof, context);
    await this.openings.pass(access).catch(async (error: unknown) => {
      throw error instanceof AppError ? await this.gate.refusal(link, error) : error;
    });
    return { type: 'file', download_url, name, size_bytes, content_type };
  }

  async #ask(link: VisitedLink, describe: boolean, context: VisitContext): Promise<SharedFile> {
    const { requestId, deadlineMs } = context;
    const body = {
      account_id: link.accountId,
      vault_id: link.vaultId as string,
      ingot_id: link.assetId,
      link_id: link.id,
      link_code: link.domain === 'files' ? null : link.code,
      describe,
    };
    try {
      return await this.bus.call(openSharedFile, { body }, serviceContext(requestId, deadlineMs));
    } catch (error) {
      throw error instanceof AppError ? await this.#refusalOf(error, link) : error;
    }
  }

  /** Whoever lost a race may find the wrap gone: the link itself knows best why. */
  async #refusalOf(error: AppError, link: VisitedLink): Promise<AppError> {
    if (error.reason === 'LINK_REVOKED') return this.gate.refusal(link, linkStateError('revoked'));
    if (error.reason === 'LINK_SUSPENDED') return new AppError('LINK_SUSPENDED', { state: 'suspended' });
    if (error.reason === 'INGOT_NOT_READY') return new AppError('LINK_NOT_FOUND');
    // The figures of the owner's pools are none of a visitor's business.
    return error.reason === 'QUOTA_EXCEEDED' ? new AppError('QUOTA_EXCEEDED') : error;
  }
}

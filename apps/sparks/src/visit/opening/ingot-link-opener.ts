import { Injectable } from '@nestjs/common';
import { AppError, serviceContext, type VisitContext } from '@vaultsvc/contracts';
import type { LinkContent, RevealedVersion } from '@vaultsvc/contracts/sparks';
import { openSharedFile, type SharedFile, type SharedFileRequest } from '@vaultsvc/contracts/vaults';
import { Bus } from '@vaultsvc/messaging';
import { linkStateError } from '../../link/link-state-error.js';
import { AccessRecorder } from './access-recorder.js';
import { LinkAdmission } from '../admission/link-admission.js';
import { OpeningRepository } from './opening.repository.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/**
 * Opens links of ingots. Vaults creates a download URL first. Then one statement consumes the link, and only the winner's
 * visitor receives the URL (SHR-13). The link stays intact when vaults or forge is unreachable.
 */
@Injectable()
export class IngotLinkOpener {
  constructor(
    private readonly bus: Bus,
    private readonly recorder: AccessRecorder,
    private readonly openings: OpeningRepository,
    private readonly admission: LinkAdmission,
  ) {}

  async describe(link: VisitedLink, context: VisitContext): Promise<LinkContent> {
    const { name, size_bytes } = await this.#openFile(link, { describe: true }, context);
    return { type: 'file', name, size_bytes, once: link.domain !== 'files' };
  }

  /** `resume`: with a URL that can be used until it ends, instead of once (OPEN-22). */
  async open(
    link: VisitedLink,
    proof: Proof | null,
    resume: boolean,
    context: VisitContext,
  ): Promise<LinkContent> {
    const opened = await this.#openFile(link, { describe: false, resume }, context);
    const { download_url, name, size_bytes, content_type, modified_at } = opened;
    if (download_url === null) throw new Error('vaults returned no URL for a shared file');
    const version = versionOf(link, opened);
    const access = await this.recorder.prepare(link, proof, context, boundText(link, version), version);
    const interaction = await this.openings.consume(access).catch(async (error: unknown) => {
      throw error instanceof AppError ? await this.admission.currentError(link, error) : error;
    });
    const file = { type: 'file', download_url, name, size_bytes, content_type, modified_at } as const;
    return { ...file, ...resumptionOf(opened), ...(interaction && { interaction }) };
  }

  async #openFile(
    link: VisitedLink,
    request: Pick<SharedFileRequest, 'describe' | 'resume'>,
    context: VisitContext,
  ): Promise<SharedFile> {
    const body = {
      account_id: link.accountId,
      vault_id: link.vaultId as string,
      ingot_id: link.assetId,
      link_id: link.id,
      link_code: link.domain === 'files' ? null : link.code,
      ...request,
    };
    try {
      return await this.bus.call(openSharedFile, { body }, serviceContext(context));
    } catch (error) {
      throw error instanceof AppError ? await this.#toLinkError(error, link) : error;
    }
  }

  /** After a lost race vaults may have shredded the wrapped key: the link's state then decides the error. */
  async #toLinkError(error: AppError, link: VisitedLink): Promise<AppError> {
    if (error.reason === 'LINK_REVOKED') return this.admission.currentError(link, linkStateError('revoked'));
    if (error.reason === 'LINK_SUSPENDED') return new AppError('LINK_SUSPENDED', { state: 'suspended' });
    return error.reason === 'INGOT_NOT_READY' ? new AppError('LINK_NOT_FOUND') : error;
  }
}

/** What a visitor needs to resume and verify a download. Vaults of the previous release issues URLs for one use only. */
function resumptionOf({ expires_at, version_id, content_hash = null }: SharedFile): Partial<LinkContent> {
  return expires_at === undefined ? {} : { expires_at, version_id, content_hash };
}

function versionOf(
  link: VisitedLink,
  { version_id, size_bytes, content_hash = null }: SharedFile,
): RevealedVersion | null {
  if (version_id === undefined) return null;
  const ids = { vault_id: link.vaultId as string, ingot_id: link.assetId };
  return { ...ids, version_id, size_bytes, content_hash };
}

/** What an action on a file is bound to (NTF-10). Vaults of the previous release do not tell the version. */
function boundText(link: VisitedLink, version: RevealedVersion | null): Buffer {
  const ids = `${link.vaultId}/${link.assetId}`;
  return Buffer.from(version ? `${ids}/${version.version_id}/${version.size_bytes}` : ids);
}

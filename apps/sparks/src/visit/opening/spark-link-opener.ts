import { Injectable } from '@nestjs/common';
import { AppError, type ErrorReason, type VisitContext } from '@vaultsvc/contracts';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { linkStateError } from '../../link/link-state-error.js';
import { ClaimedContent } from '../../spark/burning/claimed-content.js';
import { BurnRepository, type Claim } from '../../spark/burning/burn.repository.js';
import { kindOf } from '../../spark/sealing/content.js';
import { AccessRecorder } from './access-recorder.js';
import { LinkAdmission } from '../admission/link-admission.js';
import { OpeningRepository } from './opening.repository.js';
import { SparkPresenter } from './spark-presenter.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/** Opens links of Sparks: claims the Spark as any reader does, and burns it together with the link. */
@Injectable()
export class SparkLinkOpener {
  constructor(
    private readonly burns: BurnRepository,
    private readonly contents: ClaimedContent,
    private readonly presenter: SparkPresenter,
    private readonly recorder: AccessRecorder,
    private readonly openings: OpeningRepository,
    private readonly admission: LinkAdmission,
  ) {}

  async describe(link: VisitedLink): Promise<LinkContent> {
    const contentType = await this.openings.contentTypeOf(link);
    return { type: kindOf(contentType) === 'link' ? 'redirect' : 'content', once: true };
  }

  async open(link: VisitedLink, proof: Proof | null, context: VisitContext): Promise<LinkContent> {
    const claim = await this.#claim(link);
    try {
      return await this.#disclose(link, claim, proof, context);
    } catch (error) {
      // As in ReadSpark: nothing was disclosed, so the Spark may be opened again.
      await this.burns.release(claim);
      throw await this.#toLinkError(error, link);
    }
  }

  async #claim(link: VisitedLink): Promise<Claim> {
    try {
      return await this.burns.claimForReading(link.assetId, link.accountId);
    } catch (error) {
      throw await this.#toLinkError(error, link);
    }
  }

  /** Everything that can fail or is slow, such as the check of the destination, precedes the burn. */
  async #disclose(
    link: VisitedLink,
    claim: Claim,
    proof: Proof | null,
    context: VisitContext,
  ): Promise<LinkContent> {
    const content = await this.contents.open(claim);
    try {
      const answer = await this.presenter.present(content, claim);
      const access = await this.recorder.prepare(link, proof, context, content);
      const interaction = await this.openings.burn(access, claim);
      return { ...answer, ...(interaction && { interaction }) };
    } finally {
      content.fill(0);
    }
  }

  async #toLinkError(error: unknown, link: VisitedLink): Promise<unknown> {
    if (!(error instanceof AppError)) return error;
    return this.admission.currentError(link, linkErrorOf(error.reason) ?? error);
  }
}

/** The error for a link's visitor that corresponds to an error of its Spark. */
function linkErrorOf(reason: ErrorReason): AppError | undefined {
  if (reason === 'SPARK_BURNED') return linkStateError('consumed');
  if (reason === 'SPARK_EXPIRED') return linkStateError('expired');
  if (reason === 'SPARK_READ_IN_FLIGHT') return new AppError('LINK_BEING_OPENED');
  return reason === 'SPARK_NOT_FOUND' ? new AppError('LINK_NOT_FOUND') : undefined;
}

import { Injectable } from '@nestjs/common';
import { AppError, type ErrorReason, type VisitContext } from '@vaultsvc/contracts';
import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { SparkSealer } from '../spark/spark-sealer.js';
import { BurnRepository, type Claim } from '../spark/burn.repository.js';
import { kindOf } from '../spark/content.js';
import { AccessRecorder } from './access-recorder.js';
import { LinkAdmission } from './link-admission.js';
import { linkStateError } from '../link/link-state-error.js';
import { OpeningRepository } from './opening.repository.js';
import { SparkPresenter } from './spark-presenter.js';
import { SparkDescriptionRepository } from './spark-description.repository.js';
import type { VisitedLink } from './visited-link.repository.js';
import type { Proof } from './visitor-verifier.js';

/** Opens links of Sparks: claims the Spark as any reader does, and burns it together with the link. */
@Injectable()
export class SparkLinkOpener {
  constructor(
    private readonly burns: BurnRepository,
    private readonly seal: SparkSealer,
    private readonly revelation: SparkPresenter,
    private readonly accesses: AccessRecorder,
    private readonly openings: OpeningRepository,
    private readonly descriptions: SparkDescriptionRepository,
    private readonly gate: LinkAdmission,
  ) {}

  async describe(link: VisitedLink): Promise<LinkContent> {
    const contentType = await this.descriptions.contentTypeOf(link);
    return { type: kindOf(contentType) === 'link' ? 'redirect' : 'content' };
  }

  async open(link: VisitedLink, proof: Proof | null, context: VisitContext): Promise<LinkContent> {
    const claim = await this.#claim(link);
    try {
      return await this.#disclose(link, claim, proof, context);
    } catch (error) {
      // As in a read: not disclosed, so it may be opened again.
      await this.burns.release(claim);
      throw await this.#refusalOf(error, link);
    }
  }

  /** A Spark that is burned, expired or being read is so for the visitor of its link, too. */
  async #claim(link: VisitedLink): Promise<Claim> {
    try {
      return await this.burns.claimForReading(link.assetId, link.accountId);
    } catch (error) {
      throw await this.#refusalOf(error, link);
    }
  }

  /** Everything that can fail or takes time comes before the burn, the safety check with it. */
  async #disclose(
    link: VisitedLink,
    claim: Claim,
    proof: Proof | null,
    context: VisitContext,
  ): Promise<LinkContent> {
    const content = await this.seal.open(claim, claim);
    try {
      const answer = await this.revelation.of(content, claim);
      const access = await this.accesses.prepare(link, proof, context);
      await this.openings.burn(access, claim);
      return answer;
    } finally {
      content.fill(0);
    }
  }

  async #refusalOf(error: unknown, link: VisitedLink): Promise<unknown> {
    if (!(error instanceof AppError)) return error;
    return this.gate.refusal(link, ofSpark(error.reason) ?? error);
  }
}

/** What a Spark's refusals are to whoever opens its link; the link itself, asked again, goes before them. */
function ofSpark(reason: ErrorReason): AppError | undefined {
  if (reason === 'SPARK_BURNED') return linkStateError('consumed');
  if (reason === 'SPARK_EXPIRED') return linkStateError('expired');
  if (reason === 'SPARK_READ_IN_FLIGHT') return new AppError('LINK_BEING_OPENED');
  return reason === 'SPARK_NOT_FOUND' ? new AppError('LINK_NOT_FOUND') : undefined;
}

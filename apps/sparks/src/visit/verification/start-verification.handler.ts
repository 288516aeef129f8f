import { randomUUID } from 'node:crypto';
import { Controller } from '@nestjs/common';
import { validationError, type Input, type VisitContext } from '@vaultsvc/contracts';
import { startVerification, type VerificationStarted } from '@vaultsvc/contracts/sparks';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { findInvite, InviteRepository } from '../../link/invite.repository.js';
import { LinkSealer } from '../../link/link-sealer.js';
import { LinkMessageQueue, type SealedMessage } from '../../message/link-message-queue.js';
import { LinkAdmission } from '../admission/link-admission.js';
import type { VisitedLink } from '../admission/visited-link.repository.js';
import { CodeBudgetRepository, type CodeSubject } from './code-budget.repository.js';
import { OneTimeCodes } from './one-time-codes.js';
import { SubjectMacs } from './subject-macs.js';
import { VerificationRepository, type NewVerification } from './verification.repository.js';

/** A code to store, and to send if its identity may open the link. */
interface PreparedStart {
  /** The budgets that the start draws on. */
  readonly budgets: readonly CodeSubject[];
  /** Sent only if the identity may open the link. */
  readonly message: SealedMessage;
  readonly verification: NewVerification;
}

/**
 * Sends a one-time code. The answer and its timing do not reveal whether an identity is invited (OPEN-25): for one that
 * is not, the same budgets apply, the message is sealed but not sent, and a code that never matches is stored.
 */
@Controller()
export class StartVerification {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly invites: InviteRepository,
    private readonly sealer: LinkSealer,
    private readonly subjects: SubjectMacs,
    private readonly codes: OneTimeCodes,
    private readonly budgets: CodeBudgetRepository,
    private readonly verifications: VerificationRepository,
    private readonly messages: LinkMessageQueue,
    private readonly database: Database,
  ) {}

  @Handles(startVerification)
  async handle(
    { params, body: { identity } }: Input<typeof startVerification>,
    context: VisitContext,
  ): Promise<VerificationStarted> {
    const link = await this.admission.admit(params.link_code, context);
    if (link.visibility === 'public') throw noCodeNeeded();
    const start = await this.#prepare(link, identity, context);
    const expiresAt = await this.database.transaction((tx) => this.#store(tx, start, context.requestId));
    return { sent: true, expires_at: expiresAt };
  }

  async #prepare(link: VisitedLink, identity: string, { clientIp }: VisitContext): Promise<PreparedStart> {
    const [id, code] = [randomUUID(), this.codes.draw()];
    const to = await this.#addressOf(link, identity);
    const [sealed] = await this.sealer.sealTexts(link.id, [identity]);
    if (!sealed) throw new Error('nothing was sealed');
    const codeMac = await this.codes.macOf({ linkId: link.id, verificationId: id, kid: sealed.kid }, code);
    const subject = { linkId: link.id, mac: await this.subjects.ofIdentity(link, identity) };
    const { id: linkId, accountId } = link;
    const message = { linkId, accountId, kind: 'code', identity: to ?? identity, code } as const;
    return {
      budgets: [...(await this.#addressBudget(link, clientIp)), subject],
      message: await this.messages.seal(message),
      verification: { id, subject, identity: sealed, codeMac: to === undefined ? null : codeMac },
    };
  }

  /** For an invited identity the spelling of its invite, not the visitor's; undefined for one that is not invited. */
  async #addressOf({ id, visibility }: VisitedLink, identity: string): Promise<string | undefined> {
    if (visibility !== 'invite_only') return identity;
    return findInvite(await this.invites.findByLink(id), identity)?.identity;
  }

  /**
   * Nobody is invited to a link that any identity may open, and each start there sends a message to an identity of the
   * visitor's choice: so the starts of an address are limited too.
   */
  async #addressBudget(link: VisitedLink, clientIp: string | null): Promise<CodeSubject[]> {
    if (link.visibility === 'invite_only') return [];
    return [{ linkId: link.id, mac: await this.subjects.ofAddress(link, clientIp) }];
  }

  async #store(
    tx: Transaction,
    { budgets, message, verification }: PreparedStart,
    requestId: string,
  ): Promise<number> {
    for (const budget of budgets) await this.budgets.countStart(tx, budget);
    const expiresAt = await this.verifications.add(tx, verification);
    if (verification.codeMac) await this.messages.enqueue(tx, [message], requestId, expiresAt);
    else await this.messages.assertWithinLimit(tx, message);
    return expiresAt;
  }
}

function noCodeNeeded() {
  return validationError({ field: 'link_code', message: 'this link is open to anyone: it needs no code' });
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { validationError, type Input, type VisitContext } from '@vaultsvc/contracts';
import { startVerification, type VerificationStarted } from '@vaultsvc/contracts/sparks';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { findInvite, InviteRepository } from '../link/invite.repository.js';
import { LinkSealer } from '../link/link-sealer.js';
import { MessageQueue, type SealedMessage } from '../message/message-queue.js';
import { LinkAdmission } from '../opening/link-admission.js';
import type { VisitedLink } from '../opening/visited-link.repository.js';
import { OneTimeCodes } from './one-time-codes.js';
import { VerificationRepository, type NewVerification } from './verification.repository.js';

/** A code to store, and to send if its identity may open the link. */
interface PreparedStart {
  readonly linkId: string;
  /** Sent only if the identity may open the link. */
  readonly message: SealedMessage;
  readonly verification: NewVerification;
}

/**
 * Sends a one-time code. The answer and its timing do not reveal whether an identity is invited (OPEN-25): for one that
 * is not, the message is sealed and counted but not sent, and a code that never matches is stored.
 */
@Injectable()
export class StartVerification {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly invites: InviteRepository,
    private readonly sealer: LinkSealer,
    private readonly codes: OneTimeCodes,
    private readonly verifications: VerificationRepository,
    private readonly messages: MessageQueue,
    private readonly database: Database,
  ) {}

  @Handles(startVerification)
  async handle(
    { params, body: { identity } }: Input<typeof startVerification>,
    context: VisitContext,
  ): Promise<VerificationStarted> {
    const link = await this.admission.admit(params.link_code, context);
    if (link.visibility === 'public') throw noCodeNeeded();
    const start = await this.#prepare(link, identity);
    const expiresAt = await this.database.transaction((tx) => this.#store(tx, start, context.requestId));
    return { sent: true, expires_at: expiresAt };
  }

  async #prepare(link: VisitedLink, identity: string): Promise<PreparedStart> {
    const id = randomUUID();
    const code = this.codes.draw();
    const to = await this.#addressOf(link, identity);
    const [sealed] = await this.sealer.sealTexts(link.id, [identity]);
    if (!sealed) throw new Error('nothing was sealed');
    const codeMac = await this.codes.macOf({ linkId: link.id, verificationId: id, kid: sealed.kid }, code);
    const verification = { id, identity: sealed, codeMac: to === undefined ? null : codeMac };
    const message = {
      linkId: link.id,
      accountId: link.accountId,
      kind: 'code',
      identity: to ?? identity,
      code,
    } as const;
    return { linkId: link.id, message: await this.messages.seal(message), verification };
  }

  /** For an invited identity the spelling of its invite, not the visitor's; undefined for one that is not invited. */
  async #addressOf({ id, visibility }: VisitedLink, identity: string): Promise<string | undefined> {
    if (visibility !== 'invite_only') return identity;
    return findInvite(await this.invites.findByLink(id), identity)?.identity;
  }

  async #store(tx: Transaction, start: PreparedStart, requestId: string): Promise<number> {
    const { linkId, message, verification } = start;
    await this.verifications.countStart(tx, linkId);
    const expiresAt = await this.verifications.add(tx, verification);
    if (verification.codeMac) await this.messages.enqueue(tx, [message], requestId, expiresAt);
    else await this.messages.count(tx, message);
    return expiresAt;
  }
}

function noCodeNeeded() {
  return validationError({ field: 'link_code', message: 'this link is open to anyone: it needs no code' });
}

import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { validationError, type Input, type VisitContext } from '@vaultsvc/contracts';
import { startVerification, type VerificationStarted } from '@vaultsvc/contracts/sparks';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { findInvite, InviteRepository } from '../link/invite.repository.js';
import { LinkSeal } from '../link/link-seal.js';
import { MessageQueue, type SealedMessage } from '../message/message-queue.js';
import { LinkAdmission } from '../opening/link-admission.js';
import type { VisitedLink } from '../opening/visited-link.repository.js';
import { OneTimeCodes } from './one-time-codes.js';
import { VerificationRepository, type NewVerification } from './verification.repository.js';

/** A code that is about to be kept, and sent if its identity is welcome. */
interface Start {
  readonly linkId: string;
  /** Sent if the code is good. */
  readonly message: SealedMessage;
  readonly verification: NewVerification;
}

/**
 * Sends a code. Whoever is not invited is answered alike, after the same work: what is not sent is sealed nevertheless,
 * what is kept can be tried and never fits, and it counts as what is sent does (OPEN-25).
 */
@Injectable()
export class StartVerification {
  constructor(
    private readonly gate: LinkAdmission,
    private readonly invites: InviteRepository,
    private readonly seal: LinkSeal,
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
    const link = await this.gate.admit(params.link_code, context);
    if (link.visibility === 'public') throw noneNeeded();
    const start = await this.#prepare(link, identity);
    const expiresAt = await this.database.transaction((tx) => this.#keep(tx, start, context.requestId));
    return { sent: true, expires_at: expiresAt };
  }

  async #prepare(link: VisitedLink, identity: string): Promise<Start> {
    const id = randomUUID();
    const code = this.codes.draw();
    const to = await this.#addressOf(link, identity);
    const [sealed] = await this.seal.seal(link.id, [identity]);
    if (!sealed) throw new Error('nothing was sealed');
    const codeMac = await this.codes.macOf({ linkId: link.id, verificationId: id, kid: sealed.kid }, code);
    const verification = { id, identity: sealed, codeMac: to === undefined ? null : codeMac };
    const due = {
      linkId: link.id,
      accountId: link.accountId,
      kind: 'code',
      identity: to ?? identity,
      code,
    } as const;
    return { linkId: link.id, message: await this.messages.make(due), verification };
  }

  /** An invited one as its owner wrote it, not as a visitor does; undefined for whoever is not welcome. */
  async #addressOf({ id, visibility }: VisitedLink, identity: string): Promise<string | undefined> {
    if (visibility !== 'invite_only') return identity;
    return findInvite(await this.invites.ofOne(id), identity)?.identity;
  }

  async #keep(tx: Transaction, start: Start, requestId: string): Promise<number> {
    const { linkId, message, verification } = start;
    await this.verifications.countStart(tx, linkId);
    const expiresAt = await this.verifications.add(tx, verification);
    if (verification.codeMac) await this.messages.owe(tx, [message], requestId, expiresAt);
    else await this.messages.count(tx, message);
    return expiresAt;
  }
}

function noneNeeded() {
  return validationError({ field: 'link_code', message: 'this link is open to anyone: it needs no code' });
}

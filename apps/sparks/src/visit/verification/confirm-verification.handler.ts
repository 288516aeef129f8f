import { Controller } from '@nestjs/common';
import { AppError, type Input, type VisitContext } from '@vaultsvc/contracts';
import { confirmVerification, type Verified } from '@vaultsvc/contracts/sparks';
import { Database, type Transaction } from '@vaultsvc/database';
import { Handles } from '@vaultsvc/messaging';
import { LinkMessageQueue, type SealedMessage } from '../../message/link-message-queue.js';
import { LinkAdmission } from '../admission/link-admission.js';
import { CodeBudgetRepository, type CodeSubject } from './code-budget.repository.js';
import { OneTimeCodes } from './one-time-codes.js';
import { SubjectMacs } from './subject-macs.js';
import { VerificationRepository } from './verification.repository.js';
import { VerificationTokens } from './verification-tokens.js';

/** A code as a visitor entered it, ready for its comparison. */
interface EnteredCode {
  readonly subject: CodeSubject;
  /** The newest code of the identity: only that is valid, even when it has no attempts left (OPEN-25). */
  readonly verificationId: string;
  readonly mac: Buffer;
  /** To the owner, if this code is the last wrong one. */
  readonly lockout: SealedMessage;
  readonly requestId: string;
}

@Controller()
export class ConfirmVerification {
  constructor(
    private readonly admission: LinkAdmission,
    private readonly subjects: SubjectMacs,
    private readonly verifications: VerificationRepository,
    private readonly budgets: CodeBudgetRepository,
    private readonly codes: OneTimeCodes,
    private readonly tokens: VerificationTokens,
    private readonly messages: LinkMessageQueue,
    private readonly database: Database,
  ) {}

  @Handles(confirmVerification)
  async handle(input: Input<typeof confirmVerification>, context: VisitContext): Promise<Verified> {
    const entered = await this.#prepare(input, context);
    const verified = entered && (await this.database.transaction((tx) => this.#compare(tx, entered)));
    if (!verified) throw new AppError('LINK_CODE_WRONG');
    return verified;
  }

  /** All that needs a data key, before the transaction. Undefined if the identity has requested no code. */
  async #prepare(
    { params, body: { identity, code } }: Input<typeof confirmVerification>,
    context: VisitContext,
  ): Promise<EnteredCode | undefined> {
    const link = await this.admission.admit(params.link_code, context);
    const subject = { linkId: link.id, mac: await this.subjects.ofIdentity(link, identity) };
    const newest = await this.verifications.findNewest(subject);
    if (!newest) return undefined;
    const owner = { linkId: link.id, verificationId: newest.id, kid: newest.kid };
    const notice = { linkId: link.id, accountId: link.accountId, kind: 'lockout', identity } as const;
    const [mac, lockout] = [await this.codes.macOf(owner, code), await this.messages.seal(notice)];
    return { subject, verificationId: newest.id, mac, lockout, requestId: context.requestId };
  }

  /** Commits the count of the attempt before the answer shows whether the code was right. */
  async #compare(tx: Transaction, entered: EnteredCode): Promise<Verified | undefined> {
    const { subject, verificationId, mac } = entered;
    if (!(await this.budgets.lockOpen(tx, subject))) return undefined;
    const attempt = await this.verifications.useAttempt(tx, subject, verificationId);
    if (!attempt) return undefined;
    if (this.codes.isSame(mac, attempt.codeMac)) return this.tokens.issue(tx, verificationId);
    await this.#countWrong(tx, entered, attempt.codeMac !== null);
    return undefined;
  }

  /** An identity that may not open the link is closed alike, so that nothing shows it; its owner has nothing to decide. */
  async #countWrong(tx: Transaction, entered: EnteredCode, mayOpen: boolean): Promise<void> {
    const closedUntil = await this.budgets.countWrong(tx, entered.subject);
    if (closedUntil === null || !mayOpen) return;
    await this.messages.enqueueUncounted(tx, entered.lockout, entered.requestId, closedUntil);
  }
}

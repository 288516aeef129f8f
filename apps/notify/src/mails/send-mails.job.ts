import { setTimeout as delay } from 'node:timers/promises';
import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { AppError } from '@vaultsvc/contracts';
import { Repeating } from '@vaultsvc/service';
import { Counter } from 'prom-client';
import { NotifyConfig } from '../config.js';
import { EmailFailure } from '../email/email-failure.js';
import { CONNECTIONS_MAX, SmtpEmail } from '../email/smtp-email.js';
import { MailComposer } from './mail-composer.js';
import { MailRepository, type ClaimedMail, type Outcome } from './mail.repository.js';

const LOOK_AGAIN_MS_MAX = 15_000;
const MARK_AGAIN_MS = 250;

const mailsTotal = new Counter({
  name: 'vaultsvc_mails_total',
  help: 'Mails that were ended, by kind and outcome: sent, obsolete (nobody to write to), refused, expired.',
  labelNames: ['kind', 'outcome'],
});

/**
 * Sends the mails that are owed, as many at once as there are connections. Every copy of the service does; a mail is
 * claimed before it is sent. One that is not taken is tried again after 5 s, then after twice as long each time up to
 * 15 min, for 24 hours; one that is refused for good is not.
 */
@Injectable()
export class SendMails implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('mails');
  readonly #lanes = Array.from(
    { length: CONNECTIONS_MAX },
    (_, i) => new Repeating(`send-mails-${i}`, () => this.#round()),
  );
  #nextWake = new AbortController();
  #isStopping = false;

  constructor(
    @Inject(NotifyConfig) private readonly config: NotifyConfig,
    @Inject(MailRepository) private readonly mails: MailRepository,
    @Inject(MailComposer) private readonly composer: MailComposer,
    @Inject(SmtpEmail) private readonly email: SmtpEmail,
  ) {}

  onApplicationBootstrap(): void {
    const missing = missingSettings(this.config);
    if (missing.length > 0) {
      this.#logger.warn({ msg: 'mails wait until these settings are given', settings: missing });
    } else {
      for (const lane of this.#lanes) lane.start(0);
    }
  }

  /** Waits for the mails that are being handed over. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#isStopping = true;
    this.wake();
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
  }

  /** There is a mail to send. */
  wake(): void {
    this.#nextWake.abort();
    this.#nextWake = new AbortController();
  }

  async #round(): Promise<number> {
    const { signal } = this.#nextWake; // before looking: a mail that comes meanwhile is not slept through
    while (!this.#isStopping && (await this.#sendNext()));
    if (this.#isStopping) return LOOK_AGAIN_MS_MAX;
    const dueMs = (await this.mails.nextDueMs()) ?? LOOK_AGAIN_MS_MAX;
    await delay(Math.min(dueMs, LOOK_AGAIN_MS_MAX), undefined, { signal }).catch(() => {}); // woken
    return 0;
  }

  /** Whether there was one. */
  async #sendNext(): Promise<boolean> {
    const mail = await this.mails.claimDue();
    if (!mail) return false;
    try {
      const email = await this.composer.compose(mail);
      if (email) await this.email.send(email);
      await this.#closeSurely(mail, email ? 'sent' : 'obsolete');
    } catch (error) {
      await this.#failed(mail, error);
    }
    return true;
  }

  /** While PostgreSQL is away nobody else can claim the mail; once it is back, this must be there before the others. */
  async #closeSurely(mail: ClaimedMail, outcome: Outcome): Promise<void> {
    for (;;) {
      try {
        await this.mails.close(mail, outcome);
        break;
      } catch (error) {
        this.#logger.error({ msg: 'cannot note what became of a mail', ...facts(mail), outcome, err: error });
      }
      if (this.#isStopping) return;
      await delay(MARK_AGAIN_MS);
    }
    mailsTotal.inc({ kind: mail.kind, outcome });
    this.#logger.log({ msg: 'mail ended', ...facts(mail), outcome });
  }

  async #failed(mail: ClaimedMail, error: unknown): Promise<void> {
    const { code, isFinal } = failureOf(error);
    const outcome = isFinal ? 'refused' : await this.mails.putOff(mail, code);
    if (isFinal) await this.mails.close(mail, 'refused', code);
    // What a mail server says may hold the address; of all other errors we write the words ourselves.
    const about = { ...facts(mail), code, ...(!(error instanceof EmailFailure) && { err: error }) };
    if (outcome === null) return this.#logger.warn({ msg: 'mail is tried again later', ...about });
    mailsTotal.inc({ kind: mail.kind, outcome });
    this.#logger.error({ msg: 'mail given up', ...about, outcome });
  }
}

function missingSettings({ SMTP_URL, MAIL_FROM, SIGN_IN_URL }: NotifyConfig): string[] {
  const given = { SMTP_URL: SMTP_URL.reveal(), MAIL_FROM, SIGN_IN_URL };
  return Object.entries(given).flatMap(([name, value]) => (value === '' ? [name] : []));
}

function facts({ id, kind, request_id: requestId, attempts }: ClaimedMail) {
  return { mail: id, kind, requestId, attempts };
}

function failureOf(error: unknown): { code: string; isFinal: boolean } {
  if (error instanceof EmailFailure) return error;
  return { code: error instanceof AppError ? error.reason : 'INTERNAL_ERROR', isFinal: false };
}

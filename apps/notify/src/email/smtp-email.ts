import { domainToASCII } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isEmail } from '@vaultsvc/contracts';
import { createTransport } from 'nodemailer';
import { NotifyConfig } from '../config.js';
import { EmailFailure, emailFailure } from './email-failure.js';
import { parseMailFrom, type Mailbox } from './mail-from.js';
import { isLoopback, parseSmtpUrl } from './smtp-url.js';

/** A mail to one person. */
export interface Email {
  /** Becomes the Message-ID, with our domain: the same mail sent twice is folded into one by mail programs. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Mails that are handed over at once. */
export const CONNECTIONS_MAX = 5;
const STEP_MS = 10_000;
/** A server that trickles its answers passes every step's limit. */
const HANDOVER_MS = 30_000;
const IDLE_MS = 30_000;

/** The e-mail channel: hands mails to the configured SMTP server, over TLS. */
@Injectable()
export class SmtpEmail implements OnApplicationShutdown {
  readonly #pool: ReturnType<typeof createPool> | undefined;
  readonly #from: Mailbox | undefined;

  constructor(config: NotifyConfig) {
    this.#from = parseMailFrom(config.MAIL_FROM);
    if (config.SMTP_URL.reveal() !== '') this.#pool = createPool(config);
  }

  onApplicationShutdown(): void {
    this.#pool?.close({ force: true });
  }

  /**
   * Resolves once the server has taken the mail upon itself (RFC 5321, 4.1.1.4). A connection that breaks at that
   * moment leaves open whether it has (RFC 1047): the mail is sent again then, under the same Message-ID.
   * @throws EmailFailure
   */
  async send({ id, to, subject, text, html }: Email): Promise<void> {
    if (!this.#pool || !this.#from) throw new EmailFailure('UNCONFIGURED', false);
    if (!isEmail(to)) throw new EmailFailure('ADDRESS_INVALID', true);
    const recipient = { name: '', address: to }; // as text it would be read as a list
    const mail = {
      from: { ...this.#from },
      to: recipient,
      envelope: { from: { ...this.#from }, to: [recipient] },
      messageId: `<${id}@${domainOf(this.#from)}>`,
      headers: { 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no out-of-office replies
      subject,
      text,
      html,
      disableFileAccess: true,
      disableUrlAccess: true,
      signal: AbortSignal.timeout(HANDOVER_MS),
    };
    await this.#pool.sendMail(mail).catch((error: unknown) => {
      throw emailFailure(error);
    });
  }
}

function createPool({ SMTP_URL, PROFILE }: NotifyConfig) {
  const { host, port, isTlsFromStart, login } = parseSmtpUrl(SMTP_URL.reveal());
  const isPlainAllowed = PROFILE === 'local' && isLoopback(host) && !isTlsFromStart;
  return createTransport({
    pool: true,
    host,
    port,
    secure: isTlsFromStart,
    requireTLS: !isPlainAllowed,
    ignoreTLS: isPlainAllowed,
    auth: login,
    maxConnections: CONNECTIONS_MAX,
    maxRequeues: 0, // what failed is tried again by the job that knows when
    connectionTimeout: STEP_MS,
    greetingTimeout: STEP_MS,
    socketTimeout: STEP_MS,
    dnsTimeout: STEP_MS,
    idleTimeout: IDLE_MS,
  });
}

function domainOf({ address }: Mailbox): string {
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost';
}

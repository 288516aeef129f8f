import { domainToASCII } from 'node:url';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { isLoopback } from '@vaultsvc/config';
import { isKnownEmail, mailboxOf } from '@vaultsvc/contracts';
import { createTransport } from 'nodemailer';
import { NotifyConfig } from '../config.js';
import { type Mailbox, parseMailFrom, parseSmtpUrl } from '../operator-settings/smtp-settings.js';
import { DeliveryFailure } from '../outbound/delivery-failure.js';
import { withoutEncodedWords } from '../text/rich-text.js';

/** A mail to one recipient. */
export interface Email {
  /** Becomes the Message-ID, with our domain, so that mail clients show a mail that was sent twice once. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** A mail has text, HTML, or both. */
  readonly text?: string;
  readonly html?: string;
  /** Further headers, by name. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Concurrent SMTP connections: notifications use five, of which an account alone uses four. */
export const CONNECTIONS_MAX = 7;
const STEP_MS = 10_000;
/** Bounds the whole delivery: a server that trickles its replies stays below the timeout of every step. */
const HANDOVER_MS = 30_000;
const IDLE_MS = 30_000;

/** Sends mails to the configured SMTP server, over TLS. */
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
   * Resolves once the server has accepted responsibility for the mail (RFC 5321, 4.1.1.4). If the connection breaks at that
   * moment the outcome is unknown (RFC 1047), and the mail is sent again under the same Message-ID.
   * @throws EmailFailure
   */
  async send({ id, to, subject, text, html, headers }: Email): Promise<void> {
    if (!this.#pool || !this.#from) throw new EmailFailure('UNCONFIGURED', false);
    if (!isKnownEmail(to)) throw new EmailFailure('ADDRESS_INVALID', true);
    const recipient = { name: '', address: mailboxOf(to) }; // a string would be parsed as a list of addresses
    const mail = {
      from: { ...this.#from },
      to: recipient,
      envelope: { from: { ...this.#from }, to: [recipient] },
      messageId: `<${id}@${domainOf(this.#from)}>`,
      headers: { ...headers, 'Auto-Submitted': 'auto-generated' }, // RFC 3834: no out-of-office replies
      subject: withoutEncodedWords(subject), // an address in it may begin one, too
      ...(text !== undefined && { text }),
      ...(html !== undefined && { html }),
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
    maxRequeues: 0, // the job `SendMessages` decides about retries
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

/** The SMTP server did not accept a mail. Server replies may contain the address, so only their codes are kept. */
export class EmailFailure extends DeliveryFailure {
  override readonly name = 'EmailFailure';

  /**
   * Has no `isAnswerLost`: a mail that is sent twice has one Message-ID.
   * @param code `EENVELOPE 550 5.1.1`, `ESOCKET ECONNREFUSED`
   */
  constructor(code: string, isFinal: boolean, isAddressGone = false) {
    super('a mail', code, isFinal, false, undefined, isAddressGone);
  }
}

interface SmtpError {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly response?: string;
  readonly responseCode?: number;
  readonly permanent?: boolean;
}

/** Converts an error of nodemailer. */
export function emailFailure(error: unknown): EmailFailure {
  const { code = 'UNKNOWN', originalCode, response = '', responseCode } = error as SmtpError;
  const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []; // RFC 2034
  const parts = [code, originalCode, responseCode, enhanced].filter((part) => part !== undefined);
  const isRefused = isFinal(error as SmtpError);
  return new EmailFailure(parts.join(' '), isRefused, isRefused && NO_MAILBOX.includes(enhanced ?? ''));
}

/**
 * RFC 3463, 3.2, and RFC 7505: no such mailbox, no such host, bad syntax, moved without a new address, a domain that accepts no
 * mail. Other refusals do not say that the address is gone: servers answer 550 without such a code, or 5.1.0, 5.1.7 and 5.7.1,
 * when they do not like the sender or the text.
 */
const NO_MAILBOX: readonly string[] = ['5.1.1', '5.1.2', '5.1.3', '5.1.6', '5.1.10'];

/**
 * RFC 5321, 4.2.1: a 5yz reply is permanent. That is applied to the recipient and the message only. A rejected login or sender
 * is a configuration error of the operator; mails wait until it is corrected.
 */
function isFinal({ code, command = '', permanent }: SmtpError): boolean {
  if (code === 'EENVELOPE' && command === 'API') return true; // nodemailer rejects the address itself
  return permanent === true && ['RCPT TO', 'DATA'].includes(command);
}

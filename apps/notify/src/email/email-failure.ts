import { DeliveryFailure } from '../messages/channel.js';

/** The SMTP server did not accept a mail. Server replies may contain the address, so only their codes are kept. */
export class EmailFailure extends DeliveryFailure {
  override readonly name = 'EmailFailure';

  /**
   * Has no `isAnswerLost`: a mail that is sent twice has one Message-ID.
   * @param code `EENVELOPE 550 5.1.1`, `ESOCKET ECONNREFUSED`
   */
  constructor(code: string, isFinal: boolean) {
    super('a mail', code, isFinal);
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
  return new EmailFailure(parts.join(' '), isFinal(error as SmtpError));
}

/**
 * RFC 5321, 4.2.1: a 5yz reply is permanent. That is applied to the recipient and the message only. A rejected login or sender
 * is a configuration error of the operator; mails wait until it is corrected.
 */
function isFinal({ code, command = '', permanent }: SmtpError): boolean {
  if (code === 'EENVELOPE' && command === 'API') return true; // nodemailer rejects the address itself
  return permanent === true && ['RCPT TO', 'DATA'].includes(command);
}

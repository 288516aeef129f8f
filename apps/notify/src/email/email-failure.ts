import { HandoverFailure } from '../messages/handover-failure.js';

/** A mail was not taken. What a server says may hold the address, so nothing of it is kept but the codes. */
export class EmailFailure extends HandoverFailure {
  override readonly name = 'EmailFailure';

  /**
   * A lost answer is no matter: the same mail sent twice has one Message-ID.
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

/** What failed when nodemailer threw this. */
export function emailFailure(error: unknown): EmailFailure {
  const { code = 'UNKNOWN', originalCode, response = '', responseCode } = error as SmtpError;
  const [, enhanced] = /^\d{3}[ -]([245]\.\d{1,3}\.\d{1,3})\b/.exec(response) ?? []; // RFC 2034
  const parts = [code, originalCode, responseCode, enhanced].filter((part) => part !== undefined);
  return new EmailFailure(parts.join(' '), isFinal(error as SmtpError));
}

/**
 * RFC 5321, 4.2.1: what was answered with 5yz will be again. That holds for the recipient and the message; a refused
 * login or sender is ours to mend, and every mail would be lost until somebody has.
 */
function isFinal({ code, command = '', permanent }: SmtpError): boolean {
  if (code === 'EENVELOPE' && command === 'API') return true; // nodemailer itself cannot write to such an address
  return permanent === true && ['RCPT TO', 'DATA'].includes(command);
}

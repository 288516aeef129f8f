import type { Parser } from '@vaultsvc/config';
import { isEmail } from '@vaultsvc/contracts';

export interface Mailbox {
  readonly name: string;
  readonly address: string;
}

const MAILBOX = /^(?:(?<quote>"?)(?<name>[^<>"\p{C}]*)\k<quote>\s*<(?<bracketed>[^<>]+)>|(?<bare>[^<>]+))$/u;

/** `Example <no-reply@example.com>` or the address alone. */
export function parseMailFrom(text: string): Mailbox | undefined {
  const { name = '', bracketed, bare } = MAILBOX.exec(text.trim())?.groups ?? {};
  const address = bracketed ?? bare ?? '';
  return isEmail(address) ? { name: name.trim(), address } : undefined;
}

/** Checks a setting, and leaves it as it was given. */
export const mailFrom: Parser<string> = (text) => {
  if (parseMailFrom(text)) return text;
  throw new Error('must be an address such as Example <no-reply@example.com>');
};

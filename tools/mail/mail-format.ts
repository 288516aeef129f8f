import PostalMime from 'postal-mime';
import type { Address, Email, Header } from 'postal-mime';

/** One address. */
export interface Mailbox {
  address: string;
  /** Empty when the mail has none. */
  name: string;
}

/** Parses a mail; one that cannot be parsed is shown unchanged. */
export async function parseMail(raw: Uint8Array) {
  try {
    return mailOf(await PostalMime.parse(raw));
  } catch {
    return mailOf({ headers: [], headerLines: [], attachments: [], text: Buffer.from(raw).toString() });
  }
}

function mailOf({ from, to, subject = '', text, html, headers, attachments }: Email) {
  return {
    from: mailboxes(from ? [from] : []),
    to: mailboxes(to ?? []),
    subject,
    text,
    html,
    headers: byName(headers),
    attachments: attachments.map(({ filename, mimeType, content }) => ({
      filename,
      contentType: mimeType,
      bytes: typeof content === 'string' ? content.length : content.byteLength,
    })),
  };
}

function mailboxes(addresses: Address[]): Mailbox[] {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ address = '', name }) => ({ address, name }));
}

function byName(headers: Header[]) {
  const named: Map<string, string | string[]> = new Map();
  for (const { key, value } of headers)
    named.set(key, named.has(key) ? [named.get(key) ?? [], value].flat() : value);
  return Object.fromEntries(named);
}

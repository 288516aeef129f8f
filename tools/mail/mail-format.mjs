import PostalMime from 'postal-mime';

/**
 * @typedef {object} Mailbox one address
 * @property {string} address
 * @property {string} name empty when the mail has none
 */

/**
 * Parses a mail; one that cannot be parsed is shown unchanged.
 * @param {Uint8Array} raw
 */
export async function parseMail(raw) {
  try {
    return mailOf(await PostalMime.parse(raw));
  } catch {
    return mailOf({ headers: [], headerLines: [], attachments: [], text: Buffer.from(raw).toString() });
  }
}

/** @param {import('postal-mime').Email} email */
function mailOf({ from, to, subject = '', text, html, headers, attachments }) {
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

/**
 * @param {import('postal-mime').Address[]} addresses
 * @returns {Mailbox[]}
 */
function mailboxes(addresses) {
  return addresses
    .flatMap((address) => address.group ?? [address])
    .map(({ address = '', name }) => ({ address, name }));
}

/** @param {import('postal-mime').Header[]} headers */
function byName(headers) {
  /** @type {Map<string, string | string[]>} */
  const named = new Map();
  for (const { key, value } of headers)
    named.set(key, named.has(key) ? [named.get(key) ?? [], value].flat() : value);
  return Object.fromEntries(named);
}

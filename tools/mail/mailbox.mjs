import { randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';

/**
 * @typedef {object} Mailbox one address
 * @property {string} address
 * @property {string} name empty when the mail gives none
 */

/**
 * @typedef {object} Mail what was received, in the shape that MailDev gives it
 * @property {string} id
 * @property {string} time when it was received, ISO 8601
 * @property {Mailbox[]} from
 * @property {Mailbox[]} to as its header says
 * @property {string} subject
 * @property {string} [text]
 * @property {string} [html]
 * @property {Record<string, string | string[]>} headers by lower-case name, values as they came
 * @property {{ from: string, to: string[] }} envelope as the SMTP commands said
 * @property {{ filename: string | null, contentType: string, bytes: number }[]} attachments
 * @property {boolean} read
 */

export const MAILS_MAX = 500;
export const STORED_BYTES_MAX = 128 * 1024 * 1024;

/** The newest mails, in memory: 500 and 128 MiB at most, the oldest go first. */
export class Inbox {
  /** @type {Map<string, { mail: Mail, bytes: number }>} */
  #stored = new Map();
  #bytes = 0;

  /** Another number after every change, for pages that want to show it. */
  version = 0;

  /**
   * @param {Uint8Array} raw the message
   * @param {{ from: string, to: string[] }} envelope
   * @returns {Promise<Mail>}
   */
  async receive(raw, envelope) {
    const mail = { ...shape(await parse(raw)), envelope };
    this.#stored.set(mail.id, { mail, bytes: raw.length });
    this.#bytes += raw.length;
    while (this.#stored.size > MAILS_MAX || this.#bytes > STORED_BYTES_MAX) this.remove(this.#oldest());
    this.version += 1;
    return mail;
  }

  /** @returns {Mail[]} the newest last */
  list() {
    return [...this.#stored.values()].map(({ mail }) => mail);
  }

  /**
   * Marks it as read.
   * @param {string} id
   */
  open(id) {
    const mail = this.#stored.get(id)?.mail;
    if (mail) mail.read = true;
    return mail;
  }

  /**
   * @param {string} id
   * @returns {boolean} whether there was one
   */
  remove(id) {
    this.#bytes -= this.#stored.get(id)?.bytes ?? 0;
    this.version += 1;
    return this.#stored.delete(id);
  }

  clear() {
    this.#stored.clear();
    this.#bytes = 0;
    this.version += 1;
  }

  #oldest() {
    return /** @type {string} */ (this.#stored.keys().next().value);
  }
}

/**
 * A mail that no parser understands is shown as it is: an inbox for developers hides nothing.
 * @param {Uint8Array} raw
 * @returns {Promise<import('postal-mime').Email>}
 */
async function parse(raw) {
  try {
    return await PostalMime.parse(raw);
  } catch {
    return { headers: [], headerLines: [], attachments: [], text: Buffer.from(raw).toString() };
  }
}

/** @param {import('postal-mime').Email} email */
function shape({ from, to, subject = '', text, html, headers, attachments }) {
  return {
    id: randomBytes(6).toString('hex'),
    time: new Date().toISOString(),
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
    read: false,
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

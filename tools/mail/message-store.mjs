import { randomBytes } from 'node:crypto';
import PostalMime from 'postal-mime';
import { segmentsOf } from './segments.mjs';

/**
 * @typedef {object} Mailbox one address
 * @property {string} address
 * @property {string} name empty when the mail has none
 */

/**
 * @typedef {object} Mail a received mail, in the format of MailDev
 * @property {string} id
 * @property {string} time when it was received, ISO 8601
 * @property {Mailbox[]} from
 * @property {Mailbox[]} to from its header
 * @property {string} subject
 * @property {string} [text]
 * @property {string} [html]
 * @property {Record<string, string | string[]>} headers by lower-case name, with unchanged values
 * @property {{ from: string, to: string[] }} envelope from the SMTP commands
 * @property {{ filename: string | null, contentType: string, bytes: number }[]} attachments
 * @property {boolean} read
 */

/**
 * @typedef {object} Text a received text message
 * @property {string} id
 * @property {string} time when it was received, ISO 8601
 * @property {string} from a number, or the id of a messaging service
 * @property {string} to E.164
 * @property {string} text
 * @property {'GSM-7' | 'UCS-2'} encoding
 * @property {number} segments the number of SMS segments
 * @property {boolean} read
 */

export const MAILS_MAX = 500;
export const TEXTS_MAX = 500;
export const STORED_BYTES_MAX = 128 * 1024 * 1024;

/** The newest mails and text messages, in memory: at most 500 of each and 128 MiB; the oldest are deleted first. */
export class MessageStore {
  /** @type {Map<string, { mail: Mail, bytes: number }>} */
  #stored = new Map();
  #bytes = 0;
  /** @type {Map<string, Text>} */
  #texts = new Map();

  /** Increases with every change, so that an open page notices it. */
  version = 0;

  /**
   * @param {Uint8Array} raw the message
   * @param {{ from: string, to: string[] }} envelope
   * @returns {Promise<Mail>}
   */
  async receive(raw, envelope) {
    const mail = { ...mailOf(await parse(raw)), envelope };
    this.#stored.set(mail.id, { mail, bytes: raw.length });
    this.#bytes += raw.length;
    while (this.#stored.size > MAILS_MAX || this.#bytes > STORED_BYTES_MAX)
      this.remove(oldestOf(this.#stored));
    this.version += 1;
    return mail;
  }

  /**
   * @param {{ from: string, to: string, text: string }} sent
   * @returns {Text}
   */
  receiveText(sent) {
    const text = { ...newEntry(), ...sent, ...segmentsOf(sent.text) };
    this.#texts.set(text.id, text);
    if (this.#texts.size > TEXTS_MAX) this.#texts.delete(oldestOf(this.#texts));
    this.version += 1;
    return text;
  }

  /** @returns {Text[]} the newest last */
  listTexts() {
    return [...this.#texts.values()];
  }

  /**
   * Returns the message and marks it as read.
   * @param {string} id
   */
  openText(id) {
    const text = this.#texts.get(id);
    if (text) text.read = true;
    return text;
  }

  /**
   * @param {string} id
   * @returns {boolean} whether it existed
   */
  removeText(id) {
    this.version += 1;
    return this.#texts.delete(id);
  }

  clearTexts() {
    this.#texts.clear();
    this.version += 1;
  }

  /** @returns {Mail[]} the newest last */
  list() {
    return [...this.#stored.values()].map(({ mail }) => mail);
  }

  /**
   * Returns the message and marks it as read.
   * @param {string} id
   */
  open(id) {
    const mail = this.#stored.get(id)?.mail;
    if (mail) mail.read = true;
    return mail;
  }

  /**
   * @param {string} id
   * @returns {boolean} whether it existed
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
}

/** @param {Map<string, unknown>} kept not empty */
function oldestOf(kept) {
  return /** @type {string} */ (kept.keys().next().value);
}

function newEntry() {
  return { id: randomBytes(6).toString('hex'), time: new Date().toISOString(), read: false };
}

/**
 * Parses a mail; one that cannot be parsed is shown unchanged.
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
function mailOf({ from, to, subject = '', text, html, headers, attachments }) {
  return {
    ...newEntry(),
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

import { randomBytes } from 'node:crypto';
import { parseMail } from './mail-format.mjs';
import { NewestEntries } from './newest-entries.mjs';
import { segmentsOf } from './segments.mjs';

/** @typedef {import('./mail-format.mjs').Mailbox} Mailbox */

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

/**
 * @typedef {object} Notification a message of any other channel
 * @property {string} id
 * @property {string} time when it was received, ISO 8601
 * @property {'voice' | 'whatsapp' | 'rcs' | 'push' | 'web_push' | 'webhook' | 'slack' | 'teams'} channel
 * @property {string} from empty where the channel names no sender
 * @property {string} to a number, a device, a subscription or the path of a webhook
 * @property {string} title empty where the channel has none
 * @property {string} text what the recipient sees or hears
 * @property {Record<string, string>} details of the request: headers and parameters by name
 * @property {unknown} content of the request, as it was received or decrypted
 * @property {boolean} read
 */

/** @typedef {Pick<MessageStore, 'receiveText' | 'receiveNotification'>} MessageReceiver what the APIs of providers use */

export const MAILS_MAX = 500;
export const TEXTS_MAX = 500;
export const NOTIFICATIONS_MAX = 500;
export const STORED_BYTES_MAX = 128 * 1024 * 1024;

/**
 * The newest mails, text messages and notifications, in memory: at most 500 of each and 128 MiB of mails; the oldest are
 * deleted first.
 */
export class MessageStore {
  /** @type {Map<string, { mail: Mail, raw: Uint8Array }>} */
  #stored = new Map();
  #bytes = 0;
  #changed = () => {
    this.version += 1;
  };
  /** @type {NewestEntries<Text>} */
  #texts = new NewestEntries(TEXTS_MAX, this.#changed);
  /**
   * Messages of all channels but e-mail and SMS.
   * @type {NewestEntries<Notification>}
   */
  notifications = new NewestEntries(NOTIFICATIONS_MAX, this.#changed);

  /**
   * The requests of messages, for as long as the messages are kept.
   * @type {WeakMap<object, Uint8Array>}
   */
  #requests = new WeakMap();

  /** Increases with every change, so that an open page notices it. */
  version = 0;

  /**
   * @param {Uint8Array} raw the message
   * @param {{ from: string, to: string[] }} envelope
   * @returns {Promise<Mail>}
   */
  async receive(raw, envelope) {
    const mail = { ...newEntry(), ...(await parseMail(raw)), envelope };
    this.#stored.set(mail.id, { mail, raw });
    this.#bytes += raw.length;
    while (this.#stored.size > MAILS_MAX || this.#bytes > STORED_BYTES_MAX)
      this.remove(this.#stored.keys().next().value ?? '');
    this.version += 1;
    return mail;
  }

  /**
   * @param {{ from: string, to: string, text: string }} sent
   * @returns {Text}
   */
  receiveText(sent) {
    return this.#texts.add({ ...newEntry(), ...sent, ...segmentsOf(sent.text) });
  }

  /**
   * @param {Omit<Notification, 'id' | 'time' | 'read'>} sent
   * @returns {Notification}
   */
  receiveNotification(sent) {
    return this.notifications.add({ ...newEntry(), ...sent });
  }

  /**
   * A receiver of the messages that one request sends.
   * @param {Uint8Array} request
   * @returns {MessageReceiver}
   */
  receiverOf(request) {
    const withSource = (/** @type {any} */ entry) => {
      this.#requests.set(entry, request);
      return entry;
    };
    return {
      receiveText: (sent) => withSource(this.receiveText(sent)),
      receiveNotification: (sent) => withSource(this.receiveNotification(sent)),
    };
  }

  /**
   * A message as it was received: the mail, or the request that has sent the message. Marks it as read.
   * @param {string} id
   * @returns {Uint8Array | undefined}
   */
  openSource(id) {
    const entry = this.openText(id) ?? this.notifications.open(id);
    if (entry) return this.#requests.get(entry);
    return this.open(id) && this.#stored.get(id)?.raw;
  }

  /** @returns {Text[]} the newest last */
  listTexts() {
    return this.#texts.list();
  }

  /**
   * Returns the message and marks it as read.
   * @param {string} id
   */
  openText(id) {
    return this.#texts.open(id);
  }

  /**
   * @param {string} id
   * @returns {boolean} whether it existed
   */
  removeText(id) {
    return this.#texts.remove(id);
  }

  clearTexts() {
    this.#texts.clear();
  }

  /**
   * The messages of all channels, each with its `channel`.
   * @returns {((Mail & { channel: 'email' }) | (Text & { channel: 'sms' }) | Notification)[]} the newest last
   */
  listAll() {
    const mails = this.list().map((mail) => ({ ...mail, channel: /** @type {const} */ ('email') }));
    const texts = this.listTexts().map((text) => ({ ...text, channel: /** @type {const} */ ('sms') }));
    const all = [...mails, ...texts, ...this.notifications.list()];
    return all.sort((a, b) => (a.time < b.time ? -1 : 1));
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
    this.#bytes -= this.#stored.get(id)?.raw.length ?? 0;
    this.version += 1;
    return this.#stored.delete(id);
  }

  clear() {
    this.#stored.clear();
    this.#bytes = 0;
    this.version += 1;
  }
}

function newEntry() {
  return { id: randomBytes(6).toString('hex'), time: new Date().toISOString(), read: false };
}

import { randomBytes } from 'node:crypto';
import { parseMail, type Mailbox } from './mail-format.ts';
import { NewestEntries } from './newest-entries.ts';
import { segmentsOf } from './segments.ts';

/** A received mail, in the format of MailDev. */
export interface Mail {
  id: string;
  /** When it was received, ISO 8601. */
  time: string;
  from: Mailbox[];
  /** From its header. */
  to: Mailbox[];
  subject: string;
  text?: string;
  html?: string;
  /** By lower-case name, with unchanged values. */
  headers: Record<string, string | string[]>;
  /** From the SMTP commands. */
  envelope: { from: string; to: string[] };
  attachments: { filename: string | null; contentType: string; bytes: number }[];
  read: boolean;
}

/** A received text message. */
export interface Text {
  id: string;
  /** When it was received, ISO 8601. */
  time: string;
  /** A number, or the id of a messaging service. */
  from: string;
  /** E.164. */
  to: string;
  text: string;
  encoding: 'GSM-7' | 'UCS-2';
  /** The number of SMS segments. */
  segments: number;
  read: boolean;
}

/** A message of any other channel. */
export interface Notification {
  id: string;
  /** When it was received, ISO 8601. */
  time: string;
  channel: 'voice' | 'whatsapp' | 'rcs' | 'push' | 'web_push' | 'webhook' | 'slack' | 'teams';
  /** Empty where the channel names no sender. */
  from: string;
  /** A number, a device, a subscription or the path of a webhook. */
  to: string;
  /** Empty where the channel has none. */
  title: string;
  /** What the recipient sees or hears. */
  text: string;
  /** Of the request: headers and parameters by name. */
  details: Record<string, string>;
  /** Of the request, as it was received or decrypted. */
  content: unknown;
  read: boolean;
}

/** What the APIs of providers use. */
export type MessageReceiver = Pick<MessageStore, 'receiveText' | 'receiveNotification'>;

export const MAILS_MAX = 500;
export const TEXTS_MAX = 500;
export const NOTIFICATIONS_MAX = 500;
export const STORED_BYTES_MAX = 128 * 1024 * 1024;

/**
 * The newest mails, text messages and notifications, in memory: at most 500 of each and 128 MiB of mails; the oldest are
 * deleted first.
 */
export class MessageStore {
  #stored: Map<string, { mail: Mail; raw: Uint8Array }> = new Map();
  #bytes = 0;
  #changed = () => {
    this.version += 1;
  };
  #texts: NewestEntries<Text> = new NewestEntries(TEXTS_MAX, this.#changed);
  /** Messages of all channels but e-mail and SMS. */
  notifications: NewestEntries<Notification> = new NewestEntries(NOTIFICATIONS_MAX, this.#changed);

  /** The requests of messages, for as long as the messages are kept. */
  #requests: WeakMap<object, Uint8Array> = new WeakMap();

  /** Increases with every change, so that an open page notices it. */
  version = 0;

  /** @param raw the message */
  async receive(raw: Uint8Array, envelope: { from: string; to: string[] }): Promise<Mail> {
    const mail = { ...newEntry(), ...(await parseMail(raw)), envelope };
    this.#stored.set(mail.id, { mail, raw });
    this.#bytes += raw.length;
    while (this.#stored.size > MAILS_MAX || this.#bytes > STORED_BYTES_MAX)
      this.remove(this.#stored.keys().next().value ?? '');
    this.version += 1;
    return mail;
  }

  receiveText(sent: { from: string; to: string; text: string }): Text {
    return this.#texts.add({ ...newEntry(), ...sent, ...segmentsOf(sent.text) });
  }

  receiveNotification(sent: Omit<Notification, 'id' | 'time' | 'read'>): Notification {
    return this.notifications.add({ ...newEntry(), ...sent });
  }

  /** A receiver of the messages that one request sends. */
  receiverOf(request: Uint8Array): MessageReceiver {
    const withSource = <Entry extends object>(entry: Entry): Entry => {
      this.#requests.set(entry, request);
      return entry;
    };
    return {
      receiveText: (sent) => withSource(this.receiveText(sent)),
      receiveNotification: (sent) => withSource(this.receiveNotification(sent)),
    };
  }

  /** A message as it was received: the mail, or the request that has sent the message. Marks it as read. */
  openSource(id: string): Uint8Array | undefined {
    const entry = this.openText(id) ?? this.notifications.open(id);
    if (entry) return this.#requests.get(entry);
    return this.open(id) && this.#stored.get(id)?.raw;
  }

  /** @returns the newest last */
  listTexts(): Text[] {
    return this.#texts.list();
  }

  /** Returns the message and marks it as read. */
  openText(id: string) {
    return this.#texts.open(id);
  }

  /** @returns whether it existed */
  removeText(id: string): boolean {
    return this.#texts.remove(id);
  }

  clearTexts() {
    this.#texts.clear();
  }

  /**
   * The messages of all channels, each with its `channel`.
   * @returns the newest last
   */
  listAll(): ((Mail & { channel: 'email' }) | (Text & { channel: 'sms' }) | Notification)[] {
    const mails = this.list().map((mail) => ({ ...mail, channel: 'email' as const }));
    const texts = this.listTexts().map((text) => ({ ...text, channel: 'sms' as const }));
    const all = [...mails, ...texts, ...this.notifications.list()];
    return all.sort((a, b) => (a.time < b.time ? -1 : 1));
  }

  /** @returns the newest last */
  list(): Mail[] {
    return [...this.#stored.values()].map(({ mail }) => mail);
  }

  /** Returns the message and marks it as read. */
  open(id: string) {
    const mail = this.#stored.get(id)?.mail;
    if (mail) mail.read = true;
    return mail;
  }

  /** @returns whether it existed */
  remove(id: string): boolean {
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

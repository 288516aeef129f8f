import { found, mailPart, page, seeOther, text } from './answers.ts';
import type { MessageStore } from './message-store.ts';
import { inboxPage } from './page.ts';
import { search } from './search.ts';

/** The page of the inbox, with the message, search or confirmation that its address names. */
export function showPage(inbox: MessageStore, address: URLSearchParams) {
  const id = address.get('message') ?? address.get('mail') ?? address.get('sms') ?? '';
  const query = (address.get('q') ?? '').trim();
  openAny(inbox, id);
  const all = inbox.listAll().reverse();
  const view = {
    messages: search(all, query),
    chosen: all.find((message) => message.id === id),
    query,
    total: all.length,
    isDeleting: address.get('delete') === 'all' && all.length > 0,
    version: inbox.version,
  };
  return page(inboxPage(view));
}

/**
 * Deletes what a form of the page names, and leads back to the list.
 * @param id of a message that may be gone, or `all`
 * @param body of the form
 */
export function deleteByForm(inbox: MessageStore, id: string, body: string) {
  remove(inbox, 'messages', id);
  const query = new URLSearchParams(body).get('q') ?? '';
  return seeOther(query === '' ? '/' : `/?${new URLSearchParams({ q: query }).toString()}`);
}

/**
 * @param kind `email`, `sms` or `messages` for all channels
 * @param id or `all`
 * @returns whether there was such a message
 */
export function remove(inbox: MessageStore, kind: string, id: string): boolean {
  const isMail = kind === 'email' || kind === 'messages';
  const isText = kind === 'sms' || kind === 'messages';
  const isNotification = kind === 'messages';
  if (id === 'all') {
    if (isMail) inbox.clear();
    if (isText) inbox.clearTexts();
    if (isNotification) inbox.notifications.clear();
    return true;
  }
  return (
    (isMail && inbox.remove(id)) ||
    (isText && inbox.removeText(id)) ||
    (isNotification && inbox.notifications.remove(id))
  );
}

/** One message as JSON, as the HTML of a mail, or as it was received. */
export function showMessage(inbox: MessageStore, kind: string, id: string, part: string) {
  if (part === '/raw') return source(inbox, id);
  if (kind === 'messages') return found(openAny(inbox, id));
  if (kind === 'sms') return found(inbox.openText(id));
  const mail = inbox.open(id);
  return mail && part === '/html' ? mailPart(mail.html ?? '') : found(mail);
}

function source(inbox: MessageStore, id: string) {
  const received = inbox.openSource(id);
  return received ? text(200, received) : text(404, 'No such message.');
}

function openAny(inbox: MessageStore, id: string) {
  return inbox.open(id) ?? inbox.openText(id) ?? inbox.notifications.open(id);
}

import { found, mailPart, page, seeOther, text } from './answers.mjs';
import { inboxPage } from './page.mjs';
import { search } from './search.mjs';

/** @typedef {import('./message-store.mjs').MessageStore} MessageStore */

/**
 * The page of the inbox, with the message, search or confirmation that its address names.
 * @param {MessageStore} inbox
 * @param {URLSearchParams} address
 */
export function showPage(inbox, address) {
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
 * @param {MessageStore} inbox
 * @param {string} id of a message that may be gone, or `all`
 * @param {string} body of the form
 */
export function deleteByForm(inbox, id, body) {
  remove(inbox, 'messages', id);
  const query = new URLSearchParams(body).get('q') ?? '';
  return seeOther(query === '' ? '/' : `/?${new URLSearchParams({ q: query })}`);
}

/**
 * @param {MessageStore} inbox
 * @param {string} kind `email`, `sms` or `messages` for all channels
 * @param {string} id or `all`
 * @returns {boolean} whether there was such a message
 */
export function remove(inbox, kind, id) {
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

/**
 * One message as JSON, as the HTML of a mail, or as it was received.
 * @param {MessageStore} inbox
 * @param {string} kind
 * @param {string} id
 * @param {string} part
 */
export function showMessage(inbox, kind, id, part) {
  if (part === '/raw') return source(inbox, id);
  if (kind === 'messages') return found(openAny(inbox, id));
  if (kind === 'sms') return found(inbox.openText(id));
  const mail = inbox.open(id);
  return mail && part === '/html' ? mailPart(mail.html ?? '') : found(mail);
}

/**
 * @param {MessageStore} inbox
 * @param {string} id
 */
function source(inbox, id) {
  const received = inbox.openSource(id);
  return received ? text(200, received) : text(404, 'No such message.');
}

/**
 * @param {MessageStore} inbox
 * @param {string} id
 */
function openAny(inbox, id) {
  return inbox.open(id) ?? inbox.openText(id) ?? inbox.notifications.open(id);
}

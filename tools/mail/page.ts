import { channels } from './channels.ts';
import { escape, people, time } from './html.ts';
import type { Mail, Notification, Text } from './message-store.ts';
import { reader } from './reader.ts';

export type Message = (Mail & { channel: 'email' }) | (Text & { channel: 'sms' }) | Notification;

interface InboxView {
  /** That the page lists, newest first. */
  messages: Message[];
  chosen?: Message;
  /** Of the search; empty for none. */
  query: string;
  /** Of the messages, with those that the search leaves out. */
  total: number;
  /** Whether it asks to confirm the deletion of all messages. */
  isDeleting: boolean;
  /** Of the inbox. */
  version: number;
}

/** The page of the inbox: a search, a list and the selected message. It works without its script, which only shows new messages. */
export function inboxPage(view: InboxView) {
  const { messages, chosen, query, total, isDeleting, version } = view;
  const isReading = isDeleting || chosen !== undefined;
  return `<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(chosen ? titleOf(chosen) : `Inbox (${messages.length})`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inbox.css">
<script src="/inbox.js" defer></script>
</head>
<body${isReading ? ' class="reading"' : ''}>
<header>
${isReading ? '<a class="skip" href="#message">Skip the list</a>' : ''}
<h1><a href="/">Inbox</a></h1>
<p>Messages of the local stack, of all channels. Nothing leaves this machine.</p>
<form role="search" action="/"><input type="search" id="search" name="q" value="${escape(query)}" aria-label="Search messages" placeholder="Person, subject or text"> <button>Search</button></form>
${total === 0 ? '' : '<a class="delete-all" href="/?delete=all">Delete all</a>'}
</header>
<main>
<nav aria-label="Messages">${results(view)}${list(view)}</nav>
<section id="message" tabindex="-1">${content(view)}</section>
</main>
</body>
</html>
`;
}

function content(view: InboxView) {
  const { chosen, total, isDeleting } = view;
  if (isDeleting) return `<div class="actions">${backLink(view)}</div>\n${confirmation(total)}`;
  if (!chosen) return '<p class="empty">Choose a message to read it.</p>';
  return `<div class="actions">${backLink(view)}
<a id="source" href="/messages/${chosen.id}/raw">Source</a>
<form method="post" action="/messages/${chosen.id}/delete"><input type="hidden" name="q" value="${escape(view.query)}"><button id="delete">Delete</button></form></div>
${reader(chosen)}`;
}

/** Leads from the message to its place in the list. It is shown on phones, which show one of them at a time. */
function backLink({ chosen, query }: InboxView) {
  const place = chosen ? `#m-${chosen.id}` : '';
  const [address, name] =
    query === '' ? ['/', 'All messages'] : [`/?q=${encodeURIComponent(query)}`, 'Results of the search'];
  return `<a id="back" class="back" href="${address}${place}">${name}</a>`;
}

function confirmation(total: number) {
  const all = total === 1 ? 'the message' : `all ${total} messages`;
  return `<h2>Delete ${all}?</h2>
<p>Services keep what they have sent; only this inbox forgets it.</p>
<form class="actions" method="post" action="/messages/all/delete"><button id="delete">Delete ${all}</button> <a href="/">Cancel</a></form>`;
}

function results({ messages, query, total }: InboxView) {
  if (query === '') return '';
  return `<p class="results">${messages.length} of ${total} with <q>${escape(query)}</q>. <a href="/">Show all</a></p>`;
}

function titleOf(message: Message) {
  if (message.channel === 'email') return message.subject || 'No subject';
  return message.channel === 'sms' ? message.text : message.title || message.text;
}

function list({ messages, chosen, query, total }: InboxView) {
  if (total === 0) return '<p class="empty">Nothing was sent yet.</p>';
  const kept = query === '' ? '' : `&amp;q=${encodeURIComponent(query)}`;
  const items = messages.map(
    (message) =>
      `<li><a id="m-${message.id}" href="/?message=${message.id}${kept}"${message === chosen ? ' aria-current="true"' : ''}${message.read ? '' : ' class="unread"'}>
<span class="who">${recipients(message)}</span> ${time(message)}
<span class="subject">${escape(titleOf(message))}</span> <span class="kind">${channels[message.channel]}</span></a></li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

function recipients(message: Message) {
  if (message.channel !== 'email') return `<bdi>${escape(message.to)}</bdi>`;
  return people(message.to.map(({ name, address }) => ({ name: '', address: name || address })));
}

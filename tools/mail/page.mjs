/** @typedef {import('./message-store.mjs').Mail} Mail */
/** @typedef {import('./message-store.mjs').Text} Text */
/** @typedef {import('./message-store.mjs').Notification} Notification */
/** @typedef {(Mail & { channel: 'email' }) | (Text & { channel: 'sms' }) | Notification} Message */

/** @type {Record<Message['channel'], string>} */
const channels = {
  email: 'E-mail',
  sms: 'SMS',
  voice: 'Call',
  whatsapp: 'WhatsApp',
  rcs: 'RCS',
  push: 'Push',
  web_push: 'Web push',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
};

/**
 * The page of the inbox: a list and the selected message. It works without its script, which only shows new messages.
 * @param {Message[]} messages newest first
 * @param {Message | undefined} chosen
 * @param {number} version of the inbox
 */
export function inboxPage(messages, chosen, version) {
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
<body${chosen ? ' class="reading"' : ''}>
<header>
<h1><a href="/">Inbox</a></h1>
<p>Messages of the local stack, of all channels. Nothing leaves this machine.</p>
<button type="button" id="clear"${messages.length === 0 ? ' disabled' : ''} hidden>Delete all</button>
</header>
<nav aria-label="Messages">${messages.length === 0 ? '<p class="empty">Nothing was sent yet.</p>' : list(messages, chosen)}</nav>
<main>${chosen ? reader(chosen) : '<p class="empty">Choose a message to read it.</p>'}</main>
</body>
</html>
`;
}

/** @param {Message} message */
function titleOf(message) {
  if (message.channel === 'email') return message.subject || 'No subject';
  return message.channel === 'sms' ? message.text : message.title || message.text;
}

/**
 * @param {Message[]} messages
 * @param {Message | undefined} chosen
 */
function list(messages, chosen) {
  const items = messages.map(
    (
      message,
    ) => `<li><a href="/?message=${message.id}"${message === chosen ? ' aria-current="true"' : ''}${message.read ? '' : ' class="unread"'}>
<span class="who">${recipients(message)}</span> ${time(message)}
<span class="subject">${escape(titleOf(message))}</span> <span class="kind">${channels[message.channel]}</span></a></li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

/** @param {Message} message */
function recipients(message) {
  if (message.channel !== 'email') return `<bdi>${escape(message.to)}</bdi>`;
  return people(message.to.map(({ name, address }) => ({ name: '', address: name || address })));
}

/** @param {Message} message */
function reader(message) {
  if (message.channel === 'email') return mailReader(message);
  return message.channel === 'sms' ? textReader(message) : notificationReader(message);
}

/** @param {Text} message */
function textReader(message) {
  return `<article>
<h2>SMS</h2>
<dl>
<dt>From</dt><dd>${escape(message.from)}</dd>
<dt>To</dt><dd>${escape(message.to)}</dd>
<dt>Received</dt><dd>${time(message)}</dd>
<dt>Size</dt><dd>${message.segments === 1 ? '1 segment' : `${message.segments} segments`}, ${message.encoding}</dd>
</dl>
<p class="sms"><bdi>${linked(message.text)}</bdi></p>
</article>`;
}

/** @param {Notification} message */
function notificationReader(message) {
  const { channel, from, to, title, text, details, content } = message;
  const shown = Object.entries(details).filter(([, value]) => value !== '');
  const headers = shown.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `<article>
<h2>${channels[channel]}</h2>
<dl>
${from === '' ? '' : `<dt>From</dt><dd>${escape(from)}</dd>`}
<dt>To</dt><dd>${escape(to)}</dd>
<dt>Received</dt><dd>${time(message)}</dd>
</dl>
<div class="sms">${title === '' ? '' : `<strong><bdi>${escape(title)}</bdi></strong>\n`}<bdi>${linked(text)}</bdi></div>
${headers === '' ? '' : folded('Headers', headers)}
${folded('Content', typeof content === 'string' ? content : JSON.stringify(content, null, 2))}
</article>`;
}

/**
 * Turns URLs into links, as phones do.
 * @param {string} text
 */
function linked(text) {
  return escape(text).replace(
    /https?:\/\/[^\s&]+/g,
    (url) => `<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`,
  );
}

/** @param {Mail} mail */
function mailReader(mail) {
  return `<article>
<h2><bdi>${escape(mail.subject || 'No subject')}</bdi></h2>
<dl>
<dt>From</dt><dd>${people(mail.from)}</dd>
<dt>To</dt><dd>${people(mail.to)}</dd>
<dt>Received</dt><dd>${time(mail)}</dd>
${mail.attachments.length === 0 ? '' : `<dt>Attached</dt><dd>${attached(mail)}</dd>`}
</dl>
${mail.html ? `<iframe title="The mail" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/email/${mail.id}/html"></iframe>` : ''}
${mail.html ? folded('Plain text', mail.text ?? '') : `<pre>${escape(mail.text ?? '')}</pre>`}
${folded('Headers', headers(mail))}
</article>`;
}

/** @param {Mail} mail */
function attached({ attachments }) {
  return escape(
    attachments
      .map(({ filename, contentType, bytes }) => `${filename ?? 'unnamed'} (${contentType}, ${bytes} bytes)`)
      .join(', '),
  );
}

/** @param {Mail} mail */
function headers(mail) {
  return Object.entries(mail.headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n');
}

/**
 * @param {string} title
 * @param {string} text
 */
function folded(title, text) {
  return `<details><summary>${title}</summary><pre>${escape(text)}</pre></details>`;
}

/** @param {import('./message-store.mjs').Mailbox[]} mailboxes */
function people(mailboxes) {
  const shown = mailboxes.map(
    ({ name, address }) => `<bdi>${escape(name ? `${name} <${address}>` : address)}</bdi>`,
  );
  return shown.join(', ') || 'none';
}

/** @param {{ time: string }} message */
function time({ time: iso }) {
  return `<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</time>`;
}

/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** @typedef {import('./mailbox.mjs').Mail} Mail */

/**
 * The inbox's page: a list, and the mail that was chosen. It works without its script, which only shows new mails
 * as they come.
 * @param {Mail[]} mails newest first
 * @param {Mail | undefined} chosen
 * @param {number} version of the inbox
 */
export function inboxPage(mails, chosen, version) {
  return `<!doctype html>
<html lang="en" data-version="${version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(chosen ? chosen.subject || 'No subject' : `Inbox (${mails.length})`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/inbox.css">
<script src="/inbox.js" defer></script>
</head>
<body${chosen ? ' class="reading"' : ''}>
<header>
<h1><a href="/">Inbox</a></h1>
<p>Mails of the local stack. Nothing leaves this machine.</p>
<button type="button" id="clear"${mails.length === 0 ? ' disabled' : ''} hidden>Delete all</button>
</header>
<nav aria-label="Mails">${mails.length === 0 ? '<p class="empty">No mails yet.</p>' : list(mails, chosen)}</nav>
<main>${chosen ? reader(chosen) : '<p class="empty">Choose a mail to read it.</p>'}</main>
</body>
</html>
`;
}

/**
 * @param {Mail[]} mails
 * @param {Mail | undefined} chosen
 */
function list(mails, chosen) {
  const items = mails.map(
    (
      mail,
    ) => `<li><a href="/?mail=${mail.id}"${mail === chosen ? ' aria-current="true"' : ''}${mail.read ? '' : ' class="unread"'}>
<span class="who">${people(mail.to.map(({ name, address }) => ({ name: '', address: name || address })))}</span> ${time(mail)}
<span class="subject">${escape(mail.subject || 'No subject')}</span></a></li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

/** @param {Mail} mail */
function reader(mail) {
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

/** @param {import('./mailbox.mjs').Mailbox[]} mailboxes */
function people(mailboxes) {
  const shown = mailboxes.map(
    ({ name, address }) => `<bdi>${escape(name ? `${name} <${address}>` : address)}</bdi>`,
  );
  return shown.join(', ') || 'nobody';
}

/** @param {Mail} mail */
function time({ time: iso }) {
  return `<time datetime="${iso}">${new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}</time>`;
}

/** @type {Record<string, string>} */
const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {string} text */
function escape(text) {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}

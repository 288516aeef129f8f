import { channels } from './channels.mjs';
import { escape, people, time } from './html.mjs';

/** @typedef {import('./message-store.mjs').Mail} Mail */
/** @typedef {import('./message-store.mjs').Text} Text */
/** @typedef {import('./message-store.mjs').Notification} Notification */
/** @typedef {import('./page.mjs').Message} Message */

/**
 * The selected message.
 * @param {Message} message
 * @returns {string} HTML
 */
export function reader(message) {
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

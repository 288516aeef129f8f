import { channels } from './channels.ts';
import { escape, people, time } from './html.ts';
import type { Mail, Notification, Text } from './message-store.ts';
import type { Message } from './page.ts';

/**
 * The selected message.
 * @returns HTML
 */
export function reader(message: Message): string {
  if (message.channel === 'email') return mailReader(message);
  return message.channel === 'sms' ? textReader(message) : notificationReader(message);
}

function textReader(message: Text) {
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

function notificationReader(message: Notification) {
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

/** Turns URLs into links, as phones do. */
function linked(text: string) {
  return escape(text).replace(
    /https?:\/\/[^\s&]+/g,
    (url) => `<a href="${url}" target="_blank" rel="noreferrer">${url}</a>`,
  );
}

function mailReader(mail: Mail) {
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

function attached({ attachments }: Mail) {
  return escape(
    attachments
      .map(({ filename, contentType, bytes }) => `${filename ?? 'unnamed'} (${contentType}, ${bytes} bytes)`)
      .join(', '),
  );
}

function headers(mail: Mail) {
  return Object.entries(mail.headers)
    .flatMap(([name, values]) => [values].flat().map((value) => `${name}: ${value}`))
    .join('\n');
}

function folded(title: string, text: string) {
  return `<details><summary>${title}</summary><pre>${escape(text)}</pre></details>`;
}

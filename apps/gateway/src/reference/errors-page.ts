import { errorReasons, errorStatus, type ErrorReason } from '@vaultsvc/contracts';
import { errorTopics, type ErrorTopic } from './error-topics.js';
import { html, type Html } from './html.js';
import { textPage } from './text-page.js';

/** The page of `details.docs`: every reason with its code and what the caller can do; without scripts. */
export function errorsPage(): { page: string; policy: string } {
  const topics = errorTopics();
  const main = html`<h1>Errors</h1>
${introduction}
${topics.map(sectionOf)}`;
  return textPage({ title: 'Errors', group: 'errors', label: 'Topics', links: topics.map(linkTo), main });
}

const shape = `{
  "error": { "code": "…", "message": "…", "details": { "reason": "…", "docs": "…" } },
  "meta": { "api_version": "…", "request_id": "…" }
}`;

const introduction = html`<p>An error is</p>
<pre tabindex="0"><code>${shape}</code></pre>
<p>Handle its <code>code</code>, which has one HTTP status, or its <code>details.reason</code>, which is one of those below; both are stable. The message is for people and may change. <code>details.docs</code> links to the reason on this page.</p>
<p>Situations that you must not be able to tell apart have one reason: an unknown resource and one of another account, or an unknown key and a revoked one. Every 429 has <code>Retry-After</code> and <code>limit</code>, <code>used</code> and <code>resets_at</code> in its details. A field or query parameter whose name is near one of the operation is refused with <code>FIELD_MISSPELLED</code>: it differs in case, <code>-</code> or <code>_</code> alone, in one letter of four or more, or in two of eight or more. Other names that the operation does not know are ignored; the response header <code>X-Ignored</code> lists them, separated by commas.</p>`;

function linkTo({ title }: ErrorTopic): Html {
  return html`<a href="#${anchorOf(title)}">${title}</a>`;
}

function sectionOf({ title, reasons }: ErrorTopic): Html {
  return html`<section><h2 id="${anchorOf(title)}">${title}</h2>${reasons.map(entryOf)}</section>
`;
}

/** Reasons are in capitals, so no topic has the anchor of one. */
function anchorOf(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-');
}

function entryOf(reason: ErrorReason): Html {
  const { code, message, help } = errorReasons[reason];
  return html`<article id="${reason}"><h3><a href="#${reason}">${reason}</a></h3>
<p class="code">${errorStatus[code]} ${code}</p><p>${message}</p>${help === undefined ? '' : html`<p>${help}</p>`}</article>
`;
}

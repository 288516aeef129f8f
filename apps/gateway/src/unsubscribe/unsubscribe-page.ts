import { brand, pageDocument } from '../pages/page-document.js';
import { pageScript, pageStyle } from './page-script.js';

/**
 * The page behind the visible link of a mail. Its script reads what the token in the query is about. Without a script it is a
 * form that posts to its own address; for that alone the origin of the page is sent (the header says `no-referrer`).
 */
export const unsubscribePage = () =>
  pageDocument({
    title: 'Mail preferences',
    head: '<noscript><meta name="referrer" content="same-origin"></noscript>',
    body: stage(`<h1 tabindex="-1">Mail preferences</h1>
<noscript><form method="post"><p>Press the button to end the mails that this link is about.</p>
<div class="actions"><button>Unsubscribe</button></div></form></noscript>`),
    script: pageScript,
    style: pageStyle,
    formAction: "'self'",
  });

/** The answers to the form of browsers without scripts. */
export const unsubscribedPage = () =>
  plainPage(
    'You are unsubscribed',
    'These mails come no more. The link in the mail stays valid, in case you want them back.',
  );

export const invalidLinkPage = () =>
  plainPage('This link is not valid', 'Check that it is complete, or open it from the mail again.');

export const failedPage = () =>
  plainPage('This did not work', 'Nothing was changed. Go back and try again in a minute.');

const plainPage = (title: string, text: string) =>
  pageDocument({ title, body: stage(`<h1>${title}</h1>\n<p>${text}</p>`), script: '', style: pageStyle });

const stage = (content: string) => `<main id="stage" class="message">
${content}
</main>
<footer>${brand}</footer>`;

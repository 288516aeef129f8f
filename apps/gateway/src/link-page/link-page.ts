import { createHash } from 'node:crypto';
import { pageBody, prefetchBody } from './page-body.js';
import { pageScript } from './page-script.js';
import { pageStyle } from './page-style.js';

/** The page that every link shows, and the policy that it goes out with. */
export interface LinkPage {
  readonly html: Buffer;
  /** For `Sec-Purpose: prefetch`: without the script, so that nobody's guess opens a link. */
  readonly prefetchHtml: Buffer;
  /** The `Content-Security-Policy` of both forms. */
  readonly policy: string;
}

/**
 * Makes the page of SparkLinks: the same bytes for every code, known or not, on both origins (OPEN-23). It holds
 * all that it needs but the answers to what it posts, and lets nothing else load or run.
 * @param forgeOrigin where the page asks how far a download is
 */
export function linkPage(forgeOrigin: string): LinkPage {
  return {
    html: Buffer.from(documentOf(`${pageBody}<script>${pageScript}</script>`)),
    prefetchHtml: Buffer.from(documentOf(prefetchBody)),
    policy: policyFor(forgeOrigin),
  };
}

/** What link previews may show: that there is a link, and nothing of what is behind it. */
const TITLE = 'Something was shared with you';
const DESCRIPTION = 'Open this private link in your browser to see what was shared with you.';

function documentOf(body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="description" content="${DESCRIPTION}">
<meta property="og:type" content="website">
<meta property="og:title" content="${TITLE}">
<meta property="og:description" content="${DESCRIPTION}">
<title>${TITLE}</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** Style and script are named by their hashes: a nonce would make each answer another page. */
function policyFor(forgeOrigin: string): string {
  return [
    `default-src 'none'`,
    `script-src '${hashOf(pageScript)}'`,
    `style-src '${hashOf(pageStyle)}'`,
    `connect-src 'self' ${forgeOrigin}`,
    'img-src data:',
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

function hashOf(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}

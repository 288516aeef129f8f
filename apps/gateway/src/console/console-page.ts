import { createHash } from 'node:crypto';
import { pageScript, pageStyle } from './page-script.js';

/** The page of the console with its content security policy. */
export interface ConsolePage {
  readonly html: Buffer;
  /** The `Content-Security-Policy`. */
  readonly policy: string;
}

/**
 * Builds the usage page: the same bytes for everybody, because its script signs in and reads the figures. Style and script are
 * inline, so that an instance of another release never has to serve them, and the policy lets nothing else load or run.
 */
export function consolePage(): ConsolePage {
  return { html: Buffer.from(document), policy };
}

const brand =
  '<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z"/></svg>vaultsvc</p>';

const document = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>Usage · vaultsvc</title>
<link rel="icon" href="data:,">
<style>${pageStyle}</style>
</head>
<body>
<header>
${brand}
<div id="person"></div>
</header>
<main id="stage">
<h1 tabindex="-1">Usage</h1>
<p>Looking for your session …</p>
<noscript><p>This page needs JavaScript, which signs you in and draws the charts. Allow it and reload the page.</p></noscript>
</main>
<p id="status" role="status"></p>
<script>${pageScript}</script>
</body>
</html>
`;

const policy = [
  `default-src 'none'`,
  `script-src '${hashOf(pageScript)}'`,
  `style-src '${hashOf(pageStyle)}'`,
  `connect-src 'self'`,
  'img-src data:',
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ');

function hashOf(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}

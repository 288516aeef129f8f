import { createHash } from 'node:crypto';

/** A page of the gateway with its content security policy. */
export interface PageDocument {
  readonly html: Buffer;
  /** The `Content-Security-Policy`. */
  readonly policy: string;
}

/** What differs between pages. */
export interface PageContent {
  readonly title: string;
  /** Further HTML of the head. */
  readonly head?: string;
  /** HTML of the body, without scripts. */
  readonly body: string;
  readonly script: string;
  readonly style: string;
  /** Origins besides its own to which the page sends requests. */
  readonly connectTo?: readonly string[];
  /** Where forms of the page may post to; nowhere by default. */
  readonly formAction?: "'self'";
  /** Origins whose pages may show this one in a frame; none by default. */
  readonly frameAncestors?: readonly string[];
}

/**
 * Builds a page: the same bytes for everybody, because its script reads what it shows. Style and script are inline, so that an
 * instance of another release never has to serve them, and the policy lets nothing else load or run.
 */
export function pageDocument(content: PageContent): PageDocument {
  const { title, head = '', body, script, style } = content;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow, noarchive">
<title>${title} · vaultsvc</title>
<link rel="icon" href="data:,">
${head}<style>${style}</style>
</head>
<body>
${body}
<p id="status" role="status"></p>
<script>${script}</script>
</body>
</html>
`;
  return { html: Buffer.from(html), policy: policyOf(content) };
}

function policyOf({ script, style, connectTo = [], formAction, frameAncestors = [] }: PageContent): string {
  return [
    `default-src 'none'`,
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(style)}'`,
    ["connect-src 'self'", ...connectTo].join(' '),
    'img-src data:',
    `base-uri 'none'`,
    `form-action ${formAction ?? "'none'"}`,
    `frame-ancestors ${frameAncestors.length > 0 ? frameAncestors.join(' ') : "'none'"}`,
    `require-trusted-types-for 'script'`,
  ].join('; ');
}

function hashOf(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`;
}

/** The name of the product with its star. */
export const brand =
  '<p class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M12 2l2.4 7.6L22 12l-7.6 2.4L12 22l-2.4-7.6L2 12l7.6-2.4z"/></svg>vaultsvc</p>';

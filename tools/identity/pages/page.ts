import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** An HTML document and its content security policy. */
export type Page = { text: string; policy: string };

const style = inline('style', readFileSync(new URL('./page.css', import.meta.url), 'utf8'));

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string) {
  return text.replace(/[&<>"']/g, (letter) => entities[letter] ?? letter);
}

/** Renders a page. Its policy allows the inline style and script by their hashes, and nothing else. */
export function page({
  title,
  body,
  script,
  data = {},
  connectsTo = [],
  formTargets = [],
}: {
  title: string;
  body: string;
  script?: string;
  data?: Record<string, string>;
  connectsTo?: string[];
  formTargets?: string[];
}): Page {
  const code = inline('script', script ?? '');
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${style.tag}
</head>
<body${attributes.join('')}>
<main>
<p class="brand"><strong>vaultsvc</strong> <span class="local">local stack</span></p>
${body}
</main>
<footer>Local sign-in, for development only: it asks for no password.</footer>
${script ? code.tag : ''}
</body>
</html>
`;
  return { text, policy: policyOf({ script: script && code.hash, connectsTo, formTargets }) };
}

function policyOf({
  script,
  connectsTo,
  formTargets,
}: {
  script?: string;
  connectsTo: string[];
  formTargets: string[];
}) {
  const or = (sources: string[]) => sources.join(' ') || "'none'";
  return [
    `default-src 'none'`,
    `style-src '${style.hash}'`,
    ...(script ? [`script-src '${script}'`] : []),
    `connect-src ${or(connectsTo)}`,
    `form-action ${or(formTargets)}`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}

/** An inline element and its hash for the policy, computed from the same text. */
function inline(name: 'style' | 'script', source: string) {
  const hash = `sha256-${createHash('sha256').update(source).digest('base64')}`;
  return { tag: `<${name}>${source}</${name}>`, hash };
}

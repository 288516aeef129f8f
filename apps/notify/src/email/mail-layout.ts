import { escapeHtml, type RichText } from '../text/rich-text.js';

/** The content of a mail, from which both the plain text and the HTML are rendered. */
export interface MailContent {
  readonly subject: RichText;
  /** The heading of the HTML, if it differs from the subject. */
  readonly heading?: RichText;
  readonly paragraphs: readonly RichText[];
  /** Absent for a mail that only informs. */
  readonly action?: Action;
  /** Small print after the action. */
  readonly footer: RichText;
}

/** The call to action: a link to open, or a code to type into a page. */
export type Action = { readonly label: string; readonly url: string } | { readonly code: string };

export interface RenderedMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** Renders both forms. Neither loads remote content, which would disclose that and when the mail is read. */
export function renderMail(letter: MailContent): RenderedMail {
  return { subject: letter.subject.text, text: asText(letter), html: asHtml(letter) };
}

function asText({ subject, paragraphs, action, footer }: MailContent): string {
  const blocks = [
    `${subject.text}.`,
    ...paragraphs.map(({ text }) => text),
    ...actionText(action),
    '-- ',
    footer.text,
  ];
  return `${blocks.join('\n\n').replace('\n\n-- \n\n', '\n\n-- \n')}\n`;
}

function actionText(action: Action | undefined): string[] {
  if (!action) return [];
  return ['code' in action ? action.code : `${action.label}: ${action.url}`];
}

/** Styles are inline for mail clients that drop style sheets; the sheet adds dark colours. Old clients need the table layout. */
function asHtml({ subject, heading = subject, paragraphs, action, footer }: MailContent): string {
  return `<!doctype html>
<html lang="en" dir="ltr">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject.text)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background-color: #14171c !important; }
  .card { background-color: #1f242c !important; border-color: #363c46 !important; color: #e8ecf1 !important; }
  .quiet { color: #a4aebb !important; }
  .button { background-color: #8ab8ff !important; color: #0c1a30 !important; }
  .link { color: #8ab8ff !important; }
  .code { background-color: #2a303a !important; }
}
</style>
</head>
<body class="page" style="margin: 0; padding: 0; background-color: #f3f5f8;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="table-layout: fixed; background-color: #f3f5f8;">
<tr><td align="center" style="padding: 32px 16px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout: fixed; max-width: 560px; overflow-wrap: anywhere; word-break: break-word;">
<tr><td class="card" style="padding: 32px; background-color: #ffffff; border: 1px solid #d8dce2; border-radius: 8px; color: #17202b; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif;">
<h1 style="margin: 0 0 16px; font-size: 22px; line-height: 1.3; font-weight: 650;">${heading.html}</h1>
${paragraphs.map(({ html }) => `<p style="margin: 0 0 16px;">${html}</p>`).join('\n')}
${action ? actionHtml(action) : ''}
</td></tr>
<tr><td class="quiet" style="padding: 16px 32px; font: 14px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; color: #59636f;">${footer.html}</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`;
}

function actionHtml(action: Action): string {
  if ('code' in action)
    return `<p class="code" style="margin: 24px 0 0; padding: 16px; border-radius: 6px; background-color: #eef1f5; text-align: center; font: 650 32px/1.2 ui-monospace, Menlo, Consolas, monospace; letter-spacing: 0.15em;">${escapeHtml(action.code)}</p>`;
  const url = escapeHtml(action.url);
  return `<p style="margin: 24px 0;"><a class="button" href="${url}" style="display: inline-block; padding: 12px 24px; border-radius: 6px; background-color: #0b57c2; color: #ffffff; font-weight: 600; text-decoration: none;">${escapeHtml(action.label)}</a></p>
<p class="quiet" style="margin: 0; font-size: 14px; color: #59636f;">Or open this address: <a class="link" href="${url}" style="color: #0b57c2;">${url}</a></p>`;
}

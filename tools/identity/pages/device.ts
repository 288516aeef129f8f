import { escapeHtml, page } from './page.ts';

/** A step of the device flow. Its form works without a script. */
export function devicePage({
  title,
  text = '',
  code,
  form = '',
  formId,
  problem,
}: {
  title: string;
  text?: string;
  code?: string;
  form?: string;
  formId?: string;
  problem?: string;
}) {
  const body = `<h1>${escapeHtml(title)}</h1>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
${text ? `<p>${escapeHtml(text)}</p>` : ''}
${code ? `<p><code>${escapeHtml(code)}</code></p>` : ''}
${withoutScripts(form)}
${formId ? `<div class="actions"><button form="${formId}">Continue</button></div>` : ''}`;
  return page({ title: `Local sign-in: ${title}`, body, formTargets: ["'self'"] });
}

/** The policy of the page blocks event handlers. */
function withoutScripts(form: string) {
  return form.replace(/ onfocus="[^"]*"/, ' aria-label="Code"');
}

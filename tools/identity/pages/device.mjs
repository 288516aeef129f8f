import { escapeHtml, page } from './page.mjs';

/**
 * A step of the device flow. Its form works without a script.
 * @param {object} options
 * @param {string} options.title
 * @param {string} [options.text]
 * @param {string} [options.code]
 * @param {string} [options.form] HTML of the provider, without a button
 * @param {string} [options.formId]
 * @param {string} [options.problem]
 */
export function devicePage({ title, text = '', code, form = '', formId, problem }) {
  const body = `<h1>${escapeHtml(title)}</h1>
${problem ? `<p class="problem" role="alert">${escapeHtml(problem)}</p>` : ''}
${text ? `<p>${escapeHtml(text)}</p>` : ''}
${code ? `<p><code>${escapeHtml(code)}</code></p>` : ''}
${withoutScripts(form)}
${formId ? `<div class="actions"><button form="${formId}">Continue</button></div>` : ''}`;
  return page({ title: `Local sign-in: ${title}`, body, formTargets: ["'self'"] });
}

/** The policy of the page blocks event handlers. */
function withoutScripts(form) {
  return form.replace(/ onfocus="[^"]*"/, ' aria-label="Code"');
}

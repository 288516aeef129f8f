// @ts-nocheck
/* global document */

/** Creates an element. Strings become text nodes, so nothing is ever parsed as HTML. */
export function element(name, attributes = {}, ...children) {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

export function button(text, onClick, className = '') {
  const created = element('button', { type: 'button', class: className }, text);
  created.addEventListener('click', onClick);
  return created;
}

let count = 0;

/** A field with its label. */
export function labelled(text, field, ...below) {
  field.id = `field-${++count}`;
  return element('div', {}, element('label', { for: field.id }, text), field, ...below);
}

/** @param options [value, text] each */
export function choice(options, chosen) {
  const field = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)));
  if (chosen !== undefined) field.value = chosen;
  return field;
}

export async function read(path) {
  return (await fetch(path)).json();
}

export async function post(path, body) {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return response.json();
}

/** Shows what to do where no workspace or CRM has the app. */
export function showNotInstalled(stage, command) {
  stage.replaceChildren(
    element(
      'section',
      {},
      element('h2', {}, 'The app is not installed'),
      element(
        'p',
        {},
        'Install it as an admin of an account, as docs/integrations.md shows under "Try it". A code that begins with local-ok is accepted. Then reload this page.',
      ),
      element('pre', { tabindex: '0' }, command),
    ),
  );
}

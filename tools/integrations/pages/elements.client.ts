export type Child = Node | string;

/** The element of the page in which everything is shown. */
export function stageOf(): HTMLElement {
  const stage = document.getElementById('stage');
  if (!stage) throw new Error('the page has no element with the id stage');
  return stage;
}

/** Creates an element. Strings become text nodes, so nothing is ever parsed as HTML. */
export function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[N] {
  const created = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) created.setAttribute(attribute, value);
  created.append(...children);
  return created;
}

export function button(text: string, onClick: () => void, className = '') {
  const created = element('button', { type: 'button', class: className }, text);
  created.addEventListener('click', onClick);
  return created;
}

/** Fields or buttons beside each other. */
export function row(...children: readonly Child[]) {
  return element('div', { class: 'row' }, ...children);
}

export function hint(text: string) {
  return element('p', { class: 'hint' }, text);
}

/** A line for a problem, which screen readers read when its text changes. */
export function problemLine() {
  return element('p', { class: 'problem', role: 'alert' });
}

/** A form that stays on the page when it is submitted. */
export function form(onSubmit: () => void, ...children: readonly Child[]) {
  const created = element('form', {}, ...children);
  created.addEventListener('submit', (event) => {
    event.preventDefault();
    onSubmit();
  });
  return created;
}

let count = 0;

/** A field with its label. */
export function labelled(text: string, field: HTMLElement, ...below: readonly Child[]) {
  field.id = `field-${++count}`;
  return element('div', {}, element('label', { for: field.id }, text), field, ...below);
}

export type Option = readonly [value: string, text: string];

export function choice(options: readonly Option[], chosen?: string) {
  const field = element('select', {}, ...options.map(([value, text]) => element('option', { value }, text)));
  if (chosen !== undefined) field.value = chosen;
  return field;
}

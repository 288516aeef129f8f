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

/** A workspace, installation or person, as the server of the page lists them. */
export interface Named {
  id: string;
  name: string;
}

/** Reads JSON of the server of the page, which is ours: `T` is the caller's knowledge of it. */
export async function read<T>(path: string): Promise<T> {
  return (await (await fetch(path)).json()) as T;
}

/** What our API has answered to the provider. */
export interface Answer {
  status: number;
  text: string;
}

export async function post(path: string, body: object): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}

/** Shows what to do where no workspace or CRM has the app. */
export function showNotInstalled(stage: HTMLElement, command: string) {
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

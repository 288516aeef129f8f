export type Child = Node | string;

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

export function paragraph(...children: readonly Child[]): HTMLParagraphElement {
  return element('p', {}, ...children);
}

/** A button that ignores clicks while it is `aria-disabled`; unlike a `disabled` one it keeps the focus. */
export function button(text: string, onClick: () => void, className = ''): HTMLButtonElement {
  const created = element('button', { type: 'button', class: className }, text);
  created.addEventListener('click', () => {
    if (!isDisabled(created)) onClick();
  });
  return created;
}

export function isDisabled(target: HTMLElement): boolean {
  return target.getAttribute('aria-disabled') === 'true';
}

export function setDisabled(target: HTMLElement, disabled: boolean): void {
  target.setAttribute('aria-disabled', String(disabled));
}

/** A row of buttons and links. */
export function actions(...children: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'actions' }, ...children);
}

const SVG = 'http://www.w3.org/2000/svg';

/** A line drawing that screen readers skip. */
export function drawing(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

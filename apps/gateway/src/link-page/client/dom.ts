type Child = Node | string;

/** An element with these attributes. Texts become text nodes: nothing that a link holds is ever read as HTML. */
export function element<N extends keyof HTMLElementTagNameMap>(
  name: N,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[N] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

export function paragraph(...children: readonly Child[]): HTMLParagraphElement {
  return element('p', {}, ...children);
}

/** A button that does nothing else while it is `aria-disabled`: unlike a disabled one it keeps the focus. */
export function button(text: string, onClick: () => void, look = ''): HTMLButtonElement {
  const made = element('button', { type: 'button', class: look }, text);
  made.addEventListener('click', () => {
    if (!isResting(made)) onClick();
  });
  return made;
}

export function isResting(one: HTMLElement): boolean {
  return one.getAttribute('aria-disabled') === 'true';
}

export function rest(one: HTMLElement, isToRest: boolean): void {
  one.setAttribute('aria-disabled', String(isToRest));
}

/** A row of what the visitor may do next. */
export function actions(...children: readonly HTMLElement[]): HTMLElement {
  return element('div', { class: 'actions' }, ...children);
}

const SVG = 'http://www.w3.org/2000/svg';

/** A drawing of lines, for eyes alone. */
export function drawing(path: string): SVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  const line = document.createElementNS(SVG, 'path');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  line.setAttribute('d', path);
  svg.append(line);
  return svg;
}

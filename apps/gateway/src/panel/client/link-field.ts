import { button, element } from '../../page-client/elements.js';
import { announce } from '../../page-client/page-parts.js';

/** A link that is copied by a button or by hand: a frame may not be allowed to use the clipboard. */
export function linkField(url: string, label: string): HTMLElement {
  const field = element('input', { readonly: '', 'aria-label': label });
  field.value = url;
  const copy = button('Copy', () => {
    navigator.clipboard.writeText(url).then(
      () => {
        copy.textContent = 'Copied';
        announce('The link is copied.');
      },
      () => {
        field.select();
        announce('The link is selected. Copy it with your keyboard.');
      },
    );
  });
  return element('div', { class: 'field' }, field, copy);
}

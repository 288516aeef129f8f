import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { actions, button, paragraph, setDisabled } from '../../page-client/elements.js';
import { announce, showScreen } from './screen.js';
import { sharedBy } from './shared-by.js';

/**
 * Resolves when the visitor presses the button. Mail scanners run the script of this page too, so what it opens by itself,
 * they would use up.
 */
export function pressToOpen(described: LinkContent): Promise<void> {
  const isRedirect = described.type === 'redirect';
  return new Promise((resolve) => {
    const press = button(isRedirect ? 'Open once' : 'Show it once', () => {
      setDisabled(press, true);
      announce('Opening …');
      resolve();
    });
    const text = isRedirect
      ? 'It leads to a website, and it opens once.'
      : 'It can be shown once. It is then deleted from our servers, so open it where you can read or save it.';
    showScreen({
      icon: 'lock',
      title: 'Your link is ready',
      parts: [...sharedBy(described), paragraph(text), actions(press)],
    });
  });
}

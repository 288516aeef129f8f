import type { LinkContent, WarningReason } from '@vaultsvc/contracts/sparks';
import { actions, button, element, paragraph } from '../../page-client/elements.js';
import { sizeText } from '../../page-client/format.js';
import { isText, plainName, shortName, webAddress } from './format.js';
import { askBeforeLeaving, interactionPanel } from './interaction-panel.js';
import { copyText, saveAs } from './keep-content.js';
import type { LinkApi } from './link-api.js';
import { announce, showScreen } from './screen.js';

const ONCE = 'It has been deleted from our servers. Once this page is closed or reloaded, it is gone.';

/** Shows the content of a Spark, of which this page now has the only copy. */
export function showContent(content: LinkContent, origin: Node[], link: LinkApi): void {
  const { payload = '', content_type: type, filename, interaction } = content;
  const name = plainName(filename ?? '');
  askBeforeLeaving(interaction);
  const around = { origin, panel: interactionPanel(interaction, link) };
  if (isText(type)) return showText(payload, type, name, around);
  const bytes = Uint8Array.from(atob(payload), (byte) => byte.charCodeAt(0));
  showBytes(bytes, type, name, around);
}

/** The texts above and below the content. */
interface Surroundings {
  readonly origin: Node[];
  readonly panel: Node[];
}

function showText(
  payload: string,
  type: string | undefined,
  name: string,
  { origin, panel }: Surroundings,
): void {
  const text = element(
    'pre',
    { tabindex: '0', dir: 'auto', role: 'region', 'aria-label': 'The text' },
    payload,
  );
  const veil = element('p', { class: 'veil' }, 'The text is hidden.');
  veil.hidden = true;
  const toggle = button(
    'Hide',
    () => {
      veil.hidden = text.hidden;
      text.hidden = !text.hidden;
      toggle.textContent = text.hidden ? 'Show' : 'Hide';
      announce(text.hidden ? 'Hidden.' : 'Shown.');
    },
    'quiet',
  );
  const copy = button('Copy', () => void copyText(text));
  const save = () => saveAs(new Blob([payload], { type }), name);
  showScreen({
    icon: 'text',
    title: 'This was shared with you',
    parts: [
      ...origin,
      ...fileName(name),
      text,
      veil,
      actions(copy, toggle, ...(name ? [button('Save', save, 'quiet')] : [])),
      paragraph(ONCE),
      ...panel,
    ],
  });
}

function showBytes(
  bytes: Uint8Array<ArrayBuffer>,
  type: string | undefined,
  name: string,
  { origin, panel }: Surroundings,
): void {
  const save = () => {
    saveAs(new Blob([bytes], { type }), name || 'file');
    announce('Saved. Look in your downloads.');
  };
  showScreen({
    icon: 'file',
    title: 'A file was shared with you',
    parts: [
      ...origin,
      ...fileName(name || 'File without a name'),
      element('p', { class: 'size' }, sizeText(bytes.length)),
      actions(button('Save the file', save)),
      paragraph(ONCE),
      ...panel,
    ],
  });
}

/** A file name, which may be long or in a right-to-left script. */
export function fileName(name: string): Node[] {
  if (!name) return [];
  return [element('p', { class: 'name', title: name }, element('bdi', {}, shortName(name)))];
}

const REDIRECT_AFTER_MS = 1_200;

const reasons: Readonly<Record<WarningReason, string>> = {
  malware: 'It is known to spread harmful software.',
  social_engineering: 'It is known to deceive people, for example to get their passwords.',
  unwanted_software: 'It is known to spread software that nobody wants.',
  private_address: 'It leads to a device in a private network, not to a public website.',
  listed: 'It is on the list of addresses that we warn about.',
  unchecked: 'We could not check whether it is safe.',
};

/** Shows the destination and redirects to it after a moment. */
export function redirectTo({ url: text }: LinkContent, origin: Node[]): void {
  const url = webAddress(text);
  if (!url) return showUnusableUrl();
  showScreen({
    icon: 'go',
    title: 'You are being redirected',
    parts: [
      ...origin,
      paragraph('This link leads to ', element('strong', { class: 'host' }, url.host)),
      actions(element('a', { class: 'button', href: url.href, rel: 'noreferrer' }, 'Go there now')),
      element('p', { class: 'url' }, url.href),
    ],
  });
  // `replace` leaves no history entry of this page: going back to it could not open the link again.
  setTimeout(() => location.replace(url.href), REDIRECT_AFTER_MS);
}

/** Shows why the destination may be harmful and lets the visitor decide. */
export function showWarning({ url: text, reason = 'unchecked' }: LinkContent): void {
  const url = webAddress(text);
  if (!url) return showUnusableUrl();
  showScreen({
    icon: 'warning',
    title: 'Think before you continue',
    parts: [
      paragraph('This link leads to ', element('strong', { class: 'host' }, url.host), '. ', reasons[reason]),
      element('p', { class: 'url' }, url.href),
      paragraph('If you did not expect it, ask the sender through another channel. The link is used up now.'),
      actions(
        button('Close', closePage),
        element(
          'a',
          { class: 'button quiet', href: url.href, rel: 'noreferrer noopener' },
          'Continue anyway',
        ),
      ),
    ],
  });
}

/** Closes a page that a script opened; browsers ignore it for others, which show that they can be closed. */
function closePage(): void {
  window.close();
  showScreen({
    icon: 'done',
    title: 'You stayed here',
    parts: [paragraph('The destination was not opened. You can close this page.')],
  });
}

function showUnusableUrl(): void {
  showScreen({
    icon: 'gone',
    title: 'This link leads nowhere',
    parts: [paragraph('Its destination is not an address on the web. Ask the sender for a new link.')],
  });
}

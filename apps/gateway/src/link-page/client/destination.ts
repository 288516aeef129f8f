import type { LinkContent, WarningReason } from '@vaultsvc/contracts/sparks';
import { actions, button, element, paragraph } from './dom.js';
import { show } from './stage.js';
import { webAddress } from './words.js';

const READING_MS = 1_200;

const reasons: Readonly<Record<WarningReason, string>> = {
  malware: 'It is known to spread harmful software.',
  social_engineering: 'It is known to deceive people, for example to get their passwords.',
  unwanted_software: 'It is known to spread software that nobody wants.',
  private_address: 'It leads to a device in a private network, not to a public website.',
  listed: 'It is on the list of addresses that we warn about.',
  unchecked: 'We could not check whether it is safe.',
};

/** Tells where the link leads and goes there. */
export function goTo({ url: text }: LinkContent): void {
  const url = webAddress(text);
  if (!url) return showUnusable();
  show({
    icon: 'go',
    title: 'You are being redirected',
    parts: [
      paragraph('This link leads to ', element('strong', { class: 'host' }, url.host)),
      actions(element('a', { class: 'button', href: url.href, rel: 'noreferrer' }, 'Go there now')),
      element('p', { class: 'url' }, url.href),
    ],
  });
  // This page leaves no entry in the history: it would open nothing a second time.
  setTimeout(() => location.replace(url.href), READING_MS);
}

/** Says why it might be better not to follow the link, and leaves it to the visitor. */
export function warn({ url: text, reason = 'unchecked' }: LinkContent): void {
  const url = webAddress(text);
  if (!url) return showUnusable();
  show({
    icon: 'warning',
    title: 'Think before you continue',
    parts: [
      paragraph('This link leads to ', element('strong', { class: 'host' }, url.host), '. ', reasons[reason]),
      element('p', { class: 'url' }, url.href),
      paragraph('If you did not expect it, ask the sender through another channel. The link is used up now.'),
      actions(
        button('Close', close),
        element(
          'a',
          { class: 'button quiet', href: url.href, rel: 'noreferrer noopener' },
          'Continue anyway',
        ),
      ),
    ],
  });
}

/** A page may close itself only where a script opened it; others are told that they may leave. */
function close(): void {
  window.close();
  show({
    icon: 'done',
    title: 'You stayed here',
    parts: [paragraph('The destination was not opened. You can close this page.')],
  });
}

function showUnusable(): void {
  show({
    icon: 'gone',
    title: 'This link leads nowhere',
    parts: [paragraph('Its destination is not an address on the web. Ask the sender for a new link.')],
  });
}

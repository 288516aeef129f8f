import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { redirectTo, showContent, showWarning } from './content-screens.js';
import { showEndedLink, showError } from './error-screens.js';
import { offerFile } from './file-download.js';
import { LinkError, type LinkApi } from './link-api.js';
import { actions, announce, button, paragraph, setDisabled, showScreen } from './screen.js';
import { verify } from './verification.js';

/** Opens the link and shows its content; after an error as often as the visitor tries again. */
export async function openLink(link: LinkApi): Promise<void> {
  for (;;) {
    try {
      return await open(link);
    } catch (thrown) {
      // A bug of this script occurs after a response, if at all, so the link may have been opened.
      const error = thrown instanceof LinkError ? thrown : new LinkError(0, {}, undefined, true);
      const end = endOf(error);
      if (end) return showEndedLink(end);
      await showError(error);
    }
  }
}

async function open(link: LinkApi): Promise<void> {
  const described = await verified(link, () => link.describe());
  if (described.type === 'file')
    return offerFile(described, {
      open: () => verified(link, () => link.open(true)),
      isUsedUp: () => isUsedUp(link),
    });
  let content = await verified(link, () => link.open(false));
  if (content.type === 'confirm') {
    await confirmed();
    content = await verified(link, () => link.open(true));
  }
  show(content);
}

function show(content: LinkContent): void {
  if (content.type === 'content') return showContent(content);
  if (content.type === 'redirect') return redirectTo(content);
  if (content.type === 'warning') return showWarning(content);
  throw new Error(`a content of type ${content.type}`);
}

/** Sends a request; where the link requires a verified identity, verifies it and sends the request again. */
async function verified<T>(link: LinkApi, request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      const methods = error instanceof LinkError ? error.details.verification?.methods : undefined;
      if (!methods) throw error;
      await verify(link, methods);
    }
  }
}

/** Whether the link is consumed, as one for a single download is after it. */
async function isUsedUp(link: LinkApi): Promise<boolean> {
  try {
    await link.describe();
    return false;
  } catch (error) {
    return error instanceof LinkError && error.details.state === 'consumed';
  }
}

function endOf({ status, details }: LinkError) {
  if (status === 404) return 'unknown';
  if (status === 403) return details.state ?? 'elsewhere';
  return undefined;
}

/** Resolves at the click, for accounts whose links require a confirmation before they open. */
function confirmed(): Promise<void> {
  return new Promise((resolve) => {
    const once = button('Open once', () => {
      setDisabled(once, true);
      announce('Opening …');
      resolve();
    });
    showScreen({
      icon: 'lock',
      title: 'Your link is ready',
      parts: [paragraph('It opens once. What it holds is then deleted from our servers.'), actions(once)],
    });
  });
}

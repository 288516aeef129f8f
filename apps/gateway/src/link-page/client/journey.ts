import type { LinkContent } from '@vaultsvc/contracts/sparks';
import { goTo, warn } from './destination.js';
import { actions, button, paragraph, rest } from './dom.js';
import { showEnd, showTrouble } from './endings.js';
import { offerFile } from './file.js';
import type { Link } from './link.js';
import { Refusal } from './refusal.js';
import { say, show } from './stage.js';
import { showContent } from './text.js';
import { verify } from './verification.js';

/** The way through a link, from the first question to what it holds; begun again as often as the visitor tries. */
export async function travel(link: Link): Promise<void> {
  for (;;) {
    try {
      return await open(link);
    } catch (error) {
      // A mistake of this script comes after an answer, if at all.
      const refusal = error instanceof Refusal ? error : new Refusal(0, {}, undefined, true);
      const end = endOf(refusal);
      if (end) return showEnd(end);
      await showTrouble(refusal);
    }
  }
}

async function open(link: Link): Promise<void> {
  const described = await verified(link, () => link.describe());
  if (described.type === 'file')
    return offerFile(described, {
      open: () => verified(link, () => link.open(true)),
      isUsedUp: () => isUsedUp(link),
    });
  let content = await verified(link, () => link.open(false));
  if (content.type === 'confirm') {
    await clicked();
    content = await verified(link, () => link.open(true));
  }
  reveal(content);
}

function reveal(content: LinkContent): void {
  if (content.type === 'content') return showContent(content);
  if (content.type === 'redirect') return goTo(content);
  if (content.type === 'warning') return warn(content);
  throw new Error(`a content of type ${content.type}`);
}

/** Asks; where the visitor has to prove who they are, asks again when they have. */
async function verified<T>(link: Link, ask: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      const methods = error instanceof Refusal ? error.details.verification?.methods : undefined;
      if (!methods) throw error;
      await verify(link, methods);
    }
  }
}

/** A link for one download is used up by it; one that goes on says again what it holds. */
async function isUsedUp(link: Link): Promise<boolean> {
  try {
    await link.describe();
    return false;
  } catch (error) {
    return error instanceof Refusal && error.details.state === 'consumed';
  }
}

function endOf({ status, details }: Refusal) {
  if (status === 404) return 'unknown';
  if (status === 403) return details.state ?? 'elsewhere';
  return undefined;
}

/** For accounts that want their links opened by a hand and not by a page. */
function clicked(): Promise<void> {
  return new Promise((resolve) => {
    const once = button('Open once', () => {
      rest(once, true);
      say('Opening …');
      resolve();
    });
    show({
      icon: 'lock',
      title: 'Your link is ready',
      parts: [paragraph('It opens once. What it holds is then deleted from our servers.'), actions(once)],
    });
  });
}

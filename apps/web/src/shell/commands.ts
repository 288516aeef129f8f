import type { Member } from '../session/session-state.js';
import { actionTexts, commonTexts, placeTexts } from '../texts/common.js';
import type { IconName } from '../ui/icon.js';
import type { PlaceEntry } from './place-entry.js';

/** A line of the palette: a place, an action of a place, or a page outside of the application. */
export interface Command {
  readonly text: string;
  readonly icon: IconName;
  /** Below `/app`; `href` is any other path of the origin. */
  readonly to?: string;
  readonly href?: string;
}

/** What the person can go to and begin, places first. */
export function commandsFor(places: readonly PlaceEntry[], me: Member): readonly Command[] {
  const seen = places.filter(({ isFor }) => isFor?.(me) ?? true);
  return [
    ...seen.map(({ name, icon, routes: [{ path }] }) => ({ text: placeTexts[name], icon, to: path })),
    ...seen.flatMap(({ icon, routes }) =>
      routes.flatMap(({ path, action, isActionFor }) =>
        action && (isActionFor?.(me) ?? true) ? [{ text: actionTexts[action], icon, to: path }] : [],
      ),
    ),
    { text: commonTexts.help, icon: 'help', href: '/docs/guides' },
  ];
}

/** The commands that have all words of a query, in any order. */
export function matching(commands: readonly Command[], query: string): readonly Command[] {
  const words = query.toLocaleLowerCase().split(/\s+/);
  return commands.filter(({ text }) => words.every((word) => text.toLocaleLowerCase().includes(word)));
}

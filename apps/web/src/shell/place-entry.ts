import type { ComponentType } from 'react';
import type { Member } from '../session/session-state.js';
import type { actionTexts, placeTexts } from '../texts/common.js';
import type { IconName } from '../ui/icon.js';

/** A page of a place. Its component is loaded when the page is opened. */
export interface PlaceRoute {
  /** Below `/app`; ids as `$vaultId`. Ids and names of places only: URLs are kept by histories and proxies. */
  readonly path: `/${string}`;
  readonly load: () => Promise<{ readonly Place: ComponentType }>;
  /** What the page begins: a line of the command palette. */
  readonly action?: keyof typeof actionTexts;
  /** Whether a person may begin it; without it everybody who sees the place. */
  readonly isActionFor?: (me: Member) => boolean;
}

/** A place of the application: a line of the navigation, and its pages. */
export interface PlaceEntry {
  readonly name: keyof typeof placeTexts;
  readonly icon: IconName;
  /** The first one is that of the navigation. */
  readonly routes: readonly [PlaceRoute, ...PlaceRoute[]];
  /** Reached from the account bar instead of the navigation. */
  readonly isInAccountBar?: true;
  /** Whether a person sees the place; without it everybody does. The API decides what they may do. */
  readonly isFor?: (me: Member) => boolean;
}

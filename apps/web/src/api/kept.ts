import { useSyncExternalStore } from 'react';

/** The drafts of a place, kept in memory while the session lasts, so that leaving the place loses nothing. */
export interface Kept<T> {
  readonly get: () => T;
  readonly set: (next: T) => void;
  readonly update: (change: Partial<T>) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

interface KeptOptions<T> {
  /** Whether closing the page would lose something, so that the browser asks first. */
  readonly isUnsaved: (value: T) => boolean;
}

const all: { forget(): void; isUnsaved(): boolean }[] = [];

export function keep<T extends object>(initial: T, { isUnsaved }: KeptOptions<T>): Kept<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T) => {
    value = next;
    for (const listener of listeners) listener();
  };
  all.push({ forget: () => set(initial), isUnsaved: () => isUnsaved(value) });
  return {
    get: () => value,
    set,
    update: (change) => set({ ...value, ...change }),
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export function useKept<T>(kept: Kept<T>): T {
  return useSyncExternalStore(kept.subscribe, kept.get);
}

/** At sign-out: what was kept belongs to the person who left. */
export function forgetKept(): void {
  for (const one of all) one.forget();
}

/** How the names of what places keep in the storage of the browser begin, all of it sealed; it is removed at sign-out. */
export const STORED_PREFIX = 'vaultsvc-sealed ';

/** At sign-out by the person, not when the session has ended: interrupted work goes on after the next sign-in. */
export function forgetStored(): void {
  const names = Object.keys(localStorage).filter((name) => name.startsWith(STORED_PREFIX));
  for (const name of names) localStorage.removeItem(name);
}

/** Has the browser ask before the page is closed while something unsaved is kept. */
export function warnBeforeLoss(): void {
  addEventListener('beforeunload', (event) => {
    if (all.some((one) => one.isUnsaved())) event.preventDefault();
  });
}

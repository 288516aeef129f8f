import { Outlet } from '@tanstack/react-router';
import type { PlaceEntry } from './place-entry.js';
import { SessionEnded } from '../session/session-ended.js';
import { commonTexts } from '../texts/common.js';
import { AccountBar } from './account-bar.js';
import { Brand } from './brand.js';
import { Navigation } from './navigation.js';
import { PaletteButton } from './palette-button.js';

/** The frame of all places. */
export function Shell({ places }: { readonly places: readonly PlaceEntry[] }) {
  const skip = () => document.querySelector<HTMLElement>('main h1')?.focus();
  return (
    <div className="shell">
      <button type="button" className="skip" onClick={skip}>
        {commonTexts.skip}
      </button>
      <header className="top">
        <Brand />
        <PaletteButton places={places} />
        <Navigation places={places} />
        <AccountBar />
      </header>
      <main id="content">
        <SessionEnded />
        <Outlet />
      </main>
    </div>
  );
}

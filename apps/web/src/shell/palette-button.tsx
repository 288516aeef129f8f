import { lazy, Suspense, useCallback, useEffect, useState, type ComponentType } from 'react';
import { useMember } from '../session/session-context.js';
import { commonTexts } from '../texts/common.js';
import { Icon } from '../ui/icon.js';
import { toast } from '../ui/toast.js';
import type { PaletteProps } from './command-palette.js';
import { commandsFor } from './commands.js';
import type { PlaceEntry } from './place-entry.js';

/** Loaded when it is asked for. A release may have replaced it; the page goes on without. */
const CommandPalette = lazy<ComponentType<PaletteProps>>(() =>
  import('./command-palette.js').then(
    (loaded) => ({ default: loaded.CommandPalette }),
    () => ({ default: NotLoaded }),
  ),
);

function NotLoaded({ onClose }: PaletteProps) {
  useEffect(() => {
    toast(commonTexts.newRelease);
    onClose();
  }, [onClose]);
  return null;
}

/** Opens the palette, as Ctrl-K and ⌘-K do; not above another dialog. */
export function PaletteButton({ places }: { readonly places: readonly PlaceEntry[] }) {
  const me = useMember();
  const [isOpen, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      if (!document.querySelector('[role=dialog]')) setOpen(true);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        className="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        <Icon name="search" />
        <span>{commonTexts.goTo}</span>
        <kbd aria-hidden="true">{commonTexts.goToKeys(/Mac|iPhone|iPad/.test(navigator.userAgent))}</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <CommandPalette commands={commandsFor(places, me)} onClose={close} />
        </Suspense>
      )}
    </>
  );
}

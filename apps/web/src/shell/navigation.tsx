import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { PlaceEntry } from './place-entry.js';
import { useMember } from '../session/session-context.js';
import { commonTexts, placeTexts } from '../texts/common.js';
import { Icon } from '../ui/icon.js';

/** The places that the person sees: at the side, on phones at the lower edge. */
export function Navigation({ places }: { readonly places: readonly PlaceEntry[] }) {
  const me = useMember();
  const { pathname } = useLocation();
  const list = useRef<HTMLUListElement>(null);
  // On phones the list is wider than the screen.
  useEffect(() => {
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [pathname]);
  return (
    <nav className="places" aria-label={commonTexts.menu}>
      <ul ref={list}>
        {places
          .filter(({ isFor, isInAccountBar }) => !isInAccountBar && (isFor?.(me) ?? true))
          .map(({ name, icon, routes: [{ path }] }) => (
            <li key={name}>
              <Link to={path} activeProps={{ 'aria-current': 'page' }}>
                <Icon name={icon} />
                {placeTexts[name]}
              </Link>
            </li>
          ))}
        <li>
          <a href="/docs/guides" target="_blank" rel="noopener">
            <Icon name="help" />
            {commonTexts.help}
            <span className="visually-hidden"> ({commonTexts.otherTab})</span>
          </a>
        </li>
      </ul>
    </nav>
  );
}

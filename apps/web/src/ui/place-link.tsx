import { Link, useRouter } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to another place; nothing in an application without that place. */
export function PlaceLink({ to, children }: { readonly to: `/${string}`; readonly children: ReactNode }) {
  return to in useRouter().routesByPath ? <Link to={to}>{children}</Link> : null;
}

import type { ReactNode } from 'react';

interface ListProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ReactNode;
}

/** The one pattern of a list: rows, each with a `Row`. Lists of thousands of rows need a virtual one. */
export function List<T>({ label, items, keyOf, children }: ListProps<T>) {
  return (
    <ul className="list" aria-label={label}>
      {items.map((item) => (
        <li key={keyOf(item)} className="row">
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  readonly title: ReactNode;
  readonly state?: ReactNode;
  readonly details?: ReactNode;
  readonly actions?: ReactNode;
}

/** What a row shows: its title and state, details below, buttons at its end. */
export function Row({ title, state, details, actions }: RowProps) {
  return (
    <>
      <div className="row-text">
        <p className="row-title">{title}</p>
        {state}
        {details && <p className="hint">{details}</p>}
      </div>
      {actions && <div className="row-actions">{actions}</div>}
    </>
  );
}

/** A state in a word; the colour only repeats it. */
export function Badge({ kind, children }: { readonly kind: BadgeKind; readonly children: ReactNode }) {
  return <span className={`badge ${kind}`}>{children}</span>;
}

export type BadgeKind = 'plain' | 'good' | 'warn' | 'bad';

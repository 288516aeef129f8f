import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';

interface Props<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly children: (item: T) => ReactNode;
  /** One of the last rows is near the window, so that more are needed, if there are any. */
  readonly onNearEnd?: () => void;
}

/** About two windows. */
const NEAR_ROWS = 20;

/** The height of a row with one line, before it is measured. */
const ROW_PX = 78;

/** A list of thousands of rows, of which those near the window are in the document. */
export function VirtualList<T>({ label, items, keyOf, children, onNearEnd }: Props<T>) {
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    setTop((list.current?.getBoundingClientRect().top ?? 0) + scrollY);
  }, [items.length]);
  const rows = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => keyOf(items[index] as T),
    overscan: 8,
    scrollMargin: top,
  });
  const isNearEnd = (rows.getVirtualItems().at(-1)?.index ?? 0) >= items.length - NEAR_ROWS;
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, onNearEnd]);
  return (
    <ul className="list virtual" aria-label={label} ref={list} style={{ blockSize: rows.getTotalSize() }}>
      {rows.getVirtualItems().map(({ key, index, start }) => (
        <li
          key={key}
          ref={rows.measureElement}
          data-index={index}
          className="row"
          aria-setsize={items.length}
          aria-posinset={index + 1}
          style={{ transform: `translateY(${start - top}px)` }}
        >
          {children(items[index] as T)}
        </li>
      ))}
    </ul>
  );
}

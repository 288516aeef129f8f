import { useLayoutEffect, useRef, useSyncExternalStore } from 'react';

const SHOWN_MS = 6_000;

let shown: { readonly text: string } | undefined;
const listeners = new Set<() => void>();

/** Shows what has happened, for some seconds. It takes no focus, and holds nothing that the person must do. */
export function toast(text: string): void {
  const own = { text };
  show(own);
  setTimeout(() => shown === own && show(undefined), SHOWN_MS);
}

function show(next: typeof shown): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** The region of toasts, which exists before its first text: otherwise screen readers would miss it. It lies over dialogs. */
export function ToastRegion() {
  const toasted = useSyncExternalStore(subscribe, () => shown);
  const region = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The browser draws a popover over the dialogs that were opened before it.
    region.current?.hidePopover();
    region.current?.showPopover();
  }, [toasted]);
  return (
    <div ref={region} className="toasts" role="status" popover="manual">
      {toasted && <p>{toasted.text}</p>}
    </div>
  );
}

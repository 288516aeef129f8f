import { useEffect, useRef, type ReactNode } from 'react';
import { commonTexts } from '../texts/common.js';

interface PageProps {
  /** The name of the place: never that of a vault, a file or a person, which a history or a screen share would show. */
  readonly title: string;
  /** What the heading shows in place of the title, such as the name of a vault. */
  readonly heading?: ReactNode;
  readonly hint?: ReactNode;
  /** Buttons beside the heading. */
  readonly actions?: ReactNode;
  /** Whether the content takes the focus itself, such as a first field. */
  readonly focusesContent?: boolean;
  readonly children: ReactNode;
}

/** The content of a place below its heading, which receives the focus when the place is opened. */
export function Page({ title, heading: shown, hint, actions, focusesContent = false, children }: PageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${commonTexts.product}`;
    if (!focusesContent) heading.current?.focus({ preventScroll: true });
  }, [title, focusesContent]);
  return (
    <>
      <header className="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {shown ?? title}
          </h1>
          {hint && <p className="hint">{hint}</p>}
        </div>
        {actions}
      </header>
      {children}
    </>
  );
}

/** Moves the focus to the heading of the page, when what had it is gone. */
export function focusHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
}

/** The same once a dialog has closed whose opener goes away: the focus goes back to that one first. */
export function focusHeadingAfterDialog(): void {
  requestAnimationFrame(() => {
    const isOpen = document.querySelector('dialog') !== null;
    requestAnimationFrame(isOpen ? focusHeadingAfterDialog : focusHeading);
  });
}

import { useEffect, useRef, type ReactNode } from 'react';
import { commonTexts } from '../texts/common.js';

interface NoticeProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** Buttons, the most likely first. */
  readonly actions?: ReactNode;
  /** Whether something in the content takes the focus. */
  readonly focusesContent?: boolean;
}

/** A page with one message, or one form: what has happened, and what to do. */
export function Notice({ title, children, actions, focusesContent = false }: NoticeProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · ${commonTexts.product}`;
    if (!focusesContent) heading.current?.focus();
  }, [title, focusesContent]);
  return (
    <section className="notice">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
      {actions && <div className="actions">{actions}</div>}
    </section>
  );
}

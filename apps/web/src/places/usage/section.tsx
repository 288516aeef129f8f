import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { Failed, Loading } from '../../ui/states.js';

interface Props<T> {
  readonly title: string;
  readonly hint?: string;
  /** Controls beside the title, which stay while the content is read again. */
  readonly tools?: ReactNode;
  readonly read: UseQueryResult<T>;
  readonly children: (data: T) => ReactNode;
}

/** A part of the page that is read on its own. */
export function Section<T>({ title, hint, tools, read, children }: Props<T>) {
  const id = useId();
  return (
    <section className="stack" aria-labelledby={id}>
      <div className="section-head">
        <div>
          <h2 id={id}>{title}</h2>
          {hint && <p className="hint">{hint}</p>}
        </div>
        {tools}
      </div>
      <Content read={read}>{children}</Content>
    </section>
  );
}

function Content<T>({ read, children }: Pick<Props<T>, 'read' | 'children'>) {
  if (read.isPending) return <Loading />;
  if (read.isError) return <Failed error={read.error} retry={() => void read.refetch()} />;
  return children(read.data);
}

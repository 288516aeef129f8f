import { lazy, Suspense } from 'react';
import { loadPart } from '../../../api/load-part.js';
import { useKept } from '../../../api/kept.js';
import { waitingFile } from '../../../api/waiting-file.js';
import type { NoticePage } from './notice-text.js';

/** Loaded when a file waits. */
const WaitingElsewhere = lazy(async () => ({
  default: (await loadPart(() => import('./waiting-elsewhere.js'))).WaitingElsewhere,
}));

/** Names the file that waits, and says what comes next; nothing without one. */
export function WaitingNotice({ page }: { readonly page: NoticePage }) {
  const { file, step } = useKept(waitingFile);
  return (
    file && (
      <Suspense>
        <WaitingElsewhere file={file} step={step} page={page} />
      </Suspense>
    )
  );
}

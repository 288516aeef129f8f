import { lazy, Suspense, useState } from 'react';
import { loadPart } from '../../../api/load-part.js';
import { useKept } from '../../../api/kept.js';
import { waitingFile } from '../../../api/waiting-file.js';
import { uploads } from '../uploads/upload-queue.js';
import type { WaitingProps } from './waiting-in-files.js';

/** Loaded when a file waits. */
const WaitingInFiles = lazy(async () => ({
  default: (await loadPart(() => import('./waiting-in-files.js'))).WaitingInFiles,
}));

/** Nothing until a file waits. It stays then: the dialog of its link is shown when it waits no more. */
export function WaitingToSend(props: Omit<WaitingProps, 'uploads'>) {
  const { file } = useKept(waitingFile);
  const [isNeeded, setNeeded] = useState(file !== undefined);
  if (file && !isNeeded) setNeeded(true);
  return (
    isNeeded && (
      <Suspense>
        <WaitingInFiles {...props} uploads={uploads} />
      </Suspense>
    )
  );
}

import { lazy, Suspense } from 'react';
import { useKept } from '../../../api/kept.js';
import { loadPart } from '../../../api/load-part.js';
import { newVault } from './new-vault.js';

/** Loaded when there is one. */
const UnkeptKey = lazy(async () => ({
  default: (await loadPart(() => import('./unkept-key.js'))).UnkeptKey,
}));

/** Leads back to a key that nobody has kept yet; nothing without one. */
export function UnkeptNotice() {
  const { created } = useKept(newVault);
  return (
    created && (
      <Suspense>
        <UnkeptKey vault={created.vault} />
      </Suspense>
    )
  );
}

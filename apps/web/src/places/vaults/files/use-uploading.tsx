import { useState } from 'react';
import { loadPart } from '../../../api/load-part.js';
import { Failed } from '../../../ui/states.js';
import { useOpenVault } from '../open/use-open-vault.js';
import { addUploads, type NewUpload } from '../uploads/upload-queue.js';
import type { Drop } from './dropped.js';
import { ExistingNames } from './existing-names.js';
import { trailOf } from './folder-rows.js';
import type { Folder } from './use-files.js';

/** Loaded with the first files. */
const loadPlans = () => loadPart(() => import('./upload-plans.js'));

/** Adds files to the queue, after a question about names that exist. What fails before it keeps what was chosen, to try again. */
export function useUploading(folderId: string | null, folders: readonly Folder[]) {
  const vault = useOpenVault();
  const [isReading, setReading] = useState(false);
  const [asked, ask] = useState<readonly NewUpload[]>([]);
  const [failed, setFailed] = useState<{ readonly error: unknown; readonly taking: Promise<Drop> }>();
  const add = async (taking: Promise<Drop>) => {
    setReading(true);
    setFailed(undefined);
    try {
      const drop = await taking;
      const { ensureFolders, planUploads, readTaken, targetsOf } = await loadPlans();
      const base = trailOf(folderId, folders).at(-1)?.path ?? '';
      const dropped = { folderId, base, drop, folders };
      const files = await readTaken(vault, targetsOf(dropped));
      await ensureFolders(vault, base, drop.emptyFolders, folders);
      const plan = planUploads({ vaultId: vault.vaultId, ...dropped, files });
      addUploads(plan.fresh);
      ask(plan.existing);
    } catch (error) {
      setFailed({ error, taking });
    } finally {
      setReading(false);
    }
  };
  const question = asked.length > 0 && (
    <Question asked={asked} folders={folders} onAnswered={() => ask([])} />
  );
  const problem = failed && <Failed error={failed.error} retry={() => void add(failed.taking)} />;
  return { isReading, add, problem, question };
}

interface QuestionProps {
  readonly asked: readonly NewUpload[];
  readonly folders: readonly Folder[];
  readonly onAnswered: () => void;
}

/** Asks whether files of names that exist replace them, get numbers or are left out. */
function Question({ asked, folders, onAnswered }: QuestionProps) {
  const vault = useOpenVault();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const answer = (uploads: readonly NewUpload[]) => {
    addUploads(uploads);
    onAnswered();
  };
  const keepBoth = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const { besideExisting } = await loadPlans();
      answer(await besideExisting(vault, asked, folders));
    } catch (thrown) {
      setError(thrown);
      setBusy(false);
    }
  };
  return (
    <ExistingNames
      names={asked.map(({ name }) => name)}
      isBusy={isBusy}
      error={error}
      onReplace={() => answer(asked)}
      onKeepBoth={() => void keepBoth()}
      onSkip={onAnswered}
    />
  );
}

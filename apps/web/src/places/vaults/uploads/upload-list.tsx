import { useKept } from '../../../api/kept.js';
import { commonTexts } from '../../../texts/common.js';
import { uploadTexts as texts } from '../../../texts/files.js';
import { Button } from '../../../ui/button.js';
import { bytesText } from '../../../ui/format.js';
import { List, Row } from '../../../ui/list.js';
import { PlaceLink } from '../../../ui/place-link.js';
import { useNow, useOpenVault } from '../open/use-open-vault.js';
import { isOver, type UploadItem } from './upload-item.js';
import { cancelUpload, clearUploads, retryUpload, uploads } from './upload-queue.js';

/** More rows than anybody reads; the sentence above counts all. */
const SHOWN = 20;

/** The uploads into this vault that are not stored: those that need attention first. */
export function UploadList() {
  const { vaultId } = useOpenVault();
  const all = useKept(uploads).items.filter((item) => item.vaultId === vaultId);
  if (all.length === 0) return null;
  const done = all.filter(({ status }) => status === 'done').length;
  const others = all.filter(({ status }) => status !== 'done');
  const shown = others.sort((a, b) => order(a) - order(b)).slice(0, SHOWN);
  return (
    <section className="stack tight">
      <div className="open-bar">
        <p role="status">{texts.summary(done, all.length)}</p>
        {all.every(isOver) && (
          <Button kind="quiet" onPress={clearUploads}>
            {texts.clear}
          </Button>
        )}
      </div>
      {shown.length > 0 && (
        <List label={texts.title} items={shown} keyOf={({ id }) => id}>
          {(item) => <UploadRow item={item} />}
        </List>
      )}
    </section>
  );
}

function order({ status }: UploadItem): number {
  if (status === 'failed') return 0;
  if (status === 'sending' || status === 'cancelling') return 1;
  return status === 'waiting' || status === 'paused' ? 2 : 3;
}

function UploadRow({ item }: { readonly item: UploadItem }) {
  const { id, name, file, status, sent, isUnpaid } = item;
  const isEndable = !isOver(item) || status === 'failed';
  return (
    <Row
      title={<bdi>{name}</bdi>}
      state={
        status === 'sending' && <progress aria-label={name} max={1} value={sent / Math.max(1, file.size)} />
      }
      details={<Progress item={item} />}
      actions={
        isEndable &&
        status !== 'cancelling' && (
          <>
            {isUnpaid && <PlaceLink to="/billing">{commonTexts.toBilling}</PlaceLink>}
            {status === 'failed' && (
              <Button kind="quiet" label={texts.againOf(name)} onPress={() => retryUpload(id)}>
                {texts.again}
              </Button>
            )}
            <Button kind="quiet" label={texts.cancelOf(name)} onPress={() => void cancelUpload(item)}>
              {texts.cancel}
            </Button>
          </>
        )
      }
    />
  );
}

function Progress({ item: { status, sent, file, problem, pausedUntil } }: { readonly item: UploadItem }) {
  const now = useNow();
  if (status === 'paused') return texts.paused(Math.max(1, pausedUntil - now));
  if (status === 'sending' && sent >= file.size) return texts.finishing;
  if (status === 'sending')
    return texts.progress(bytesText(sent), bytesText(file.size), Math.floor((sent / file.size) * 100));
  if (status === 'failed') return <span role="alert">{problem ?? texts.interrupted}</span>;
  return states[status];
}

const states = {
  waiting: texts.waiting,
  done: texts.done,
  cancelling: texts.cancelling,
  cancelled: texts.cancelled,
} as const;

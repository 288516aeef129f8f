import { ApiError, SourceError, TransferError } from '@vaultsvc/client';
import { loadPart } from '../../../api/load-part.js';
import { errorText, isPaymentRequired } from '../../../api/error-text.js';
import { keep } from '../../../api/kept.js';
import { queryClient } from '../../../api/query-client.js';
import { uploadTexts as texts } from '../../../texts/files.js';
import { openVaults, type OpenVault } from '../open/open-vaults.js';
import { vaultKeys } from '../open/vault-queries.js';
import { endUpload } from './end-upload.js';
import { SealedStore } from './sealed-store.js';
import { isOver, type UploadItem } from './upload-item.js';

/** At a time. Each has a few calls before and after its content. */
const RUNNING_MAX = 3;
const PAUSE_SECONDS = 20;
const REFRESH_MS = 500;

/** All uploads of this tab. They go on while other places are looked at, and while their vault is locked. */
export const uploads = keep<{ readonly items: readonly UploadItem[] }>(
  { items: [] },
  { isUnsaved: ({ items }) => items.some((item) => !isOver(item)) },
);

interface Work {
  readonly stop: AbortController;
  readonly store: SealedStore;
}

const works = new Map<string, Work>();

/** A file that is to be uploaded. */
export type NewUpload = Pick<UploadItem, 'vaultId' | 'file' | 'name' | 'folderId' | 'folderPath'>;

export function addUploads(added: readonly NewUpload[]): void {
  const fresh = {
    status: 'waiting',
    sent: 0,
    problem: undefined,
    isUnpaid: false,
    pausedUntil: 0,
    stored: undefined,
  } as const;
  const items = added.map((one) => ({ ...one, ...fresh, id: crypto.randomUUID() }));
  uploads.set({ items: [...uploads.get().items, ...items] });
  startNext();
}

export function retryUpload(id: string): void {
  change(id, { status: 'waiting', problem: undefined, isUnpaid: false });
  startNext();
}

/** Ends an upload, at Forge too, and deletes its file unless that has earlier content. */
export async function cancelUpload({ id, vaultId }: UploadItem): Promise<void> {
  const work = works.get(id);
  works.delete(id);
  change(id, { status: 'cancelling' });
  work?.stop.abort();
  const vault = openVaults.get().open[vaultId];
  // What is not deleted now, the list of files shows.
  await endUpload(work?.store.current, vault).catch(() => undefined);
  await work?.store.forget();
  change(id, { status: 'cancelled' });
  refreshFiles(vaultId);
  startNext();
}

export function clearUploads(): void {
  uploads.set({ items: uploads.get().items.filter((item) => !isOver(item)) });
}

function change(id: string, changed: Partial<UploadItem>): void {
  const { items } = uploads.get();
  uploads.set({ items: items.map((item) => (item.id === id ? { ...item, ...changed } : item)) });
}

const sentOf = (id: string): number => uploads.get().items.find((item) => item.id === id)?.sent ?? 0;

/** Starts what waits, as far as its vault is open. */
function startNext(): void {
  const { items } = uploads.get();
  let free = RUNNING_MAX - items.filter(({ status }) => status === 'sending').length;
  for (const item of items) {
    const vault = openVaults.get().open[item.vaultId];
    if (free <= 0) return;
    if (item.status !== 'waiting' || !vault) continue;
    free -= 1;
    void run(item, vault);
  }
}

async function run(item: UploadItem, vault: OpenVault): Promise<void> {
  const { id, file, name, folderId, folderPath, vaultId } = item;
  const store = works.get(id)?.store ?? new SealedStore(item, vault.sealed, () => sentOf(id));
  const work = { stop: new AbortController(), store };
  works.set(id, work);
  change(id, { status: 'sending' });
  try {
    const { sendFile } = await loadPart(() => import('../../../api/send-file.js'));
    const { ingotId, contentHash } = await sendFile(vault, file, {
      name,
      ...(folderPath === undefined ? { folderId: folderId ?? undefined } : { folderPath }),
      resume: work.store,
      signal: work.stop.signal,
      onProgress: ({ bytes }) => change(id, { sent: bytes }),
    });
    works.delete(id);
    change(id, { status: 'done', sent: file.size, stored: { ingotId, contentHash } });
  } catch (error) {
    if (!work.stop.signal.aborted) fail(id, vaultId, error);
  }
  if (work.stop.signal.aborted) return;
  refreshFiles(vaultId);
  startNext();
}

function fail(id: string, vaultId: string, error: unknown): void {
  const isLocked = !openVaults.get().open[vaultId];
  const isToken = error instanceof ApiError && (error.status === 401 || error.status === 403);
  if (isLocked && isToken) return change(id, { status: 'waiting' });
  if (error instanceof ApiError && error.status === 429) return pause(id, error.retryAfter ?? PAUSE_SECONDS);
  change(id, { status: 'failed', problem: problemOf(error), isUnpaid: isPaymentRequired(error) });
}

function pause(id: string, seconds: number): void {
  change(id, { status: 'paused', pausedUntil: Date.now() / 1_000 + seconds });
  setTimeout(() => {
    const isPaused = uploads.get().items.some((item) => item.id === id && item.status === 'paused');
    if (isPaused) retryUpload(id);
  }, seconds * 1_000);
}

/** Errors of transfers name no URL, but they are not for people. */
function problemOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  return error instanceof TransferError ? texts.interrupted : errorText(error);
}

const refreshing = new Set<string>();

/** Once for all uploads that end together: a list of many files is several calls. */
function refreshFiles(vaultId: string): void {
  if (refreshing.has(vaultId)) return;
  refreshing.add(vaultId);
  setTimeout(() => {
    refreshing.delete(vaultId);
    void queryClient.invalidateQueries({ queryKey: vaultKeys.inside(vaultId) });
  }, REFRESH_MS);
}

openVaults.subscribe(startNext);

// At sign-out all uploads are forgotten, and those that run end.
uploads.subscribe(() => {
  const known = new Set(uploads.get().items.map(({ id }) => id));
  for (const [id, { stop }] of works) {
    if (known.has(id)) continue;
    works.delete(id);
    stop.abort();
  }
});

import type { WaitingStep } from '../../../api/waiting-file.js';
import type { UploadItem } from '../uploads/upload-item.js';

/** The step of a file by its latest upload; a cancelled one is as if there were none. */
export function stepOf(file: File, items: readonly UploadItem[]): WaitingStep {
  const item = items.findLast((one) => one.file === file && one.status !== 'cancelled');
  if (!item) return { kind: 'waiting' };
  const { vaultId, name, status, stored } = item;
  if (stored) return { kind: 'stored', vaultId, name, ...stored, isOffered: false };
  return { kind: status === 'failed' ? 'failed' : 'uploading', vaultId };
}

/** Whether two steps show the same: an upload that goes on changes none. */
export function isSameStep(a: WaitingStep, b: WaitingStep): boolean {
  if (a.kind === 'waiting' || b.kind === 'waiting') return a.kind === b.kind;
  return a.kind === b.kind && a.vaultId === b.vaultId;
}

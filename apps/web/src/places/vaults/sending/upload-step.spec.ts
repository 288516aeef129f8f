import { describe, expect, it } from '@jest/globals';
import type { UploadItem } from '../uploads/upload-item.js';
import { isSameStep, stepOf } from './upload-step.js';

const file = new File(['plan'], 'plan.pdf');
const upload = (change: Partial<UploadItem> = {}): UploadItem => ({
  id: '1',
  vaultId: 'vlt_1',
  file,
  name: 'plan.pdf',
  folderId: null,
  folderPath: undefined,
  status: 'sending',
  sent: 0,
  problem: undefined,
  isUnpaid: false,
  pausedUntil: 0,
  stored: undefined,
  ...change,
});
const stored = { ingotId: 'ing_1', contentHash: 'sha256:1' };

describe('WEB-16: a file that waits for a vault', () => {
  it('waits until it is uploaded, and again once its upload was cancelled', () => {
    expect(stepOf(file, [])).toEqual({ kind: 'waiting' });
    expect(stepOf(file, [upload({ status: 'cancelled' })])).toEqual({ kind: 'waiting' });
  });

  it('is another one than a file of the same name that is uploaded', () => {
    const other = upload({ file: new File(['plan'], 'plan.pdf') });
    expect(stepOf(file, [other])).toEqual({ kind: 'waiting' });
  });

  it.each(['waiting', 'paused', 'sending', 'cancelling'] as const)('is uploaded while it is %s', (status) => {
    expect(stepOf(file, [upload({ status })])).toEqual({ kind: 'uploading', vaultId: 'vlt_1' });
  });

  it('can be tried again when its upload has failed', () => {
    expect(stepOf(file, [upload({ status: 'failed' })])).toEqual({ kind: 'failed', vaultId: 'vlt_1' });
  });

  it('is stored under the name that it got, and goes by its latest upload', () => {
    const former = upload({ status: 'cancelled', vaultId: 'vlt_2' });
    const done = upload({ id: '2', status: 'done', name: 'plan (2).pdf', stored });
    expect(stepOf(file, [former, done])).toEqual({
      kind: 'stored',
      vaultId: 'vlt_1',
      ingotId: 'ing_1',
      name: 'plan (2).pdf',
      contentHash: 'sha256:1',
      isOffered: false,
    });
  });

  it('changes its step with the vault, not with each byte', () => {
    const uploading = { kind: 'uploading', vaultId: 'vlt_1' } as const;
    expect(isSameStep(uploading, { ...uploading })).toBe(true);
    expect(isSameStep({ kind: 'waiting' }, { kind: 'waiting' })).toBe(true);
    expect(isSameStep(uploading, { ...uploading, vaultId: 'vlt_2' })).toBe(false);
    expect(isSameStep(uploading, { ...uploading, kind: 'failed' })).toBe(false);
    expect(isSameStep(uploading, { kind: 'waiting' })).toBe(false);
  });
});

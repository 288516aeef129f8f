import { describe, expect, it } from '@jest/globals';
import { noticeText } from './notice-text.js';

const waiting = { kind: 'waiting' } as const;
const uploading = { kind: 'uploading', vaultId: 'vlt_1' } as const;
const failed = { kind: 'failed', vaultId: 'vlt_1' } as const;
const stored = {
  kind: 'stored',
  vaultId: 'vlt_1',
  ingotId: 'ing_1',
  name: 'plan.pdf',
  contentHash: 'sha256:1',
  isOffered: false,
} as const;

describe('WEB-16: the notice about a file that waits', () => {
  it('says what comes next on the page', () => {
    expect(noticeText(waiting, { kind: 'list' }).text).toMatch(/^Choose the vault/);
    expect(noticeText(waiting, { kind: 'create' }).text).toMatch(/^Create a vault/);
    expect(noticeText(waiting, { kind: 'locked', vaultId: 'vlt_2' }).text).toMatch(/^Open this vault/);
  });

  it('leads from the other parts of a vault to its files', () => {
    expect(noticeText(waiting, { kind: 'part', vaultId: 'vlt_2' }).filesOf).toBe('vlt_2');
    expect(noticeText(waiting, { kind: 'locked', vaultId: 'vlt_2' }).filesOf).toBeUndefined();
  });

  it.each([uploading, failed, stored])('leads from elsewhere to the vault of the file: $kind', (step) => {
    expect(noticeText(step, { kind: 'list' })).toMatchObject({ filesOf: 'vlt_1' });
    expect(noticeText(step, { kind: 'locked', vaultId: 'vlt_2' })).toMatchObject({ filesOf: 'vlt_1' });
  });

  it.each([uploading, failed, stored])('asks for the key of the vault that has the file: $kind', (step) => {
    expect(noticeText(step, { kind: 'locked', vaultId: 'vlt_1' })).toEqual({
      text: expect.stringMatching(/Open (this|the) vault to/),
      filesOf: undefined,
    });
    expect(noticeText(step, { kind: 'part', vaultId: 'vlt_1' }).filesOf).toBe('vlt_1');
  });
});

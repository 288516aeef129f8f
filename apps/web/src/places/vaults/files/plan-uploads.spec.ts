import { describe, expect, it } from '@jest/globals';
import { planUploads, targetsOf } from './plan-uploads.js';
import type { Folder, Ingot } from './use-files.js';

const folders = [
  { folder_id: 'fld_1', parent_id: null, path: 'Old', name: 'Old' },
  { folder_id: 'fld_2', parent_id: 'fld_1', path: 'Old/2025', name: '2025' },
] as Folder[];
const files = [
  { ingot_id: 'ing_1', folder_id: null, name: 'Plan.txt' },
  { ingot_id: 'ing_2', folder_id: 'fld_2', name: 'a.txt' },
] as Ingot[];

/** The plan for files of these names in these folders, dropped into a folder. */
function planOf(
  into: { folderId: string | null; base: string },
  ...dropped: [folder: string, name: string][]
) {
  const drop = {
    files: dropped.map(([folder, name]) => ({ folder, file: new File(['x'], name) })),
    emptyFolders: [],
  };
  const { fresh, existing } = planUploads({ vaultId: 'vlt_1', ...into, drop, files, folders });
  const shown = (all: typeof fresh) =>
    all.map(({ name, folderId, folderPath }) => [folderPath ?? folderId, name]);
  return { fresh: shown(fresh), existing: shown(existing) };
}

const root = { folderId: null, base: '' };

describe('uploads of dropped files', () => {
  it('ask about a name that its folder has, whatever its case', () => {
    expect(planOf(root, ['', 'PLAN.TXT'], ['', 'new.txt'])).toEqual({
      existing: [[null, 'PLAN.TXT']],
      fresh: [[null, 'new.txt']],
    });
  });

  it('go into folders below the one into which they were dropped', () => {
    expect(planOf({ folderId: 'fld_1', base: 'Old' }, ['2025', 'a.txt'], ['2026/q1', 'a.txt'])).toEqual({
      existing: [['Old/2025', 'a.txt']],
      fresh: [['Old/2026/q1', 'a.txt']],
    });
  });

  it('do not ask about a name that another folder has', () => {
    expect(planOf(root, ['Old', 'Plan.txt'], ['', 'a.txt']).existing).toEqual([]);
  });

  it('ask for names in folders that exist, and in no others', () => {
    const file = (folder: string, name: string) => ({ folder, file: new File(['x'], name) });
    const drop = { files: [file('', 'a.txt'), file('OLD', 'b.txt'), file('New', 'c.txt')], emptyFolders: [] };
    expect([...targetsOf({ ...root, drop, folders })]).toEqual([
      [null, ['a.txt']],
      ['fld_1', ['b.txt']],
    ]);
  });
});

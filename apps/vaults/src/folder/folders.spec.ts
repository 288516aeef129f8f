import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  schemaOf,
  type AccountContext,
  type Operation,
  type PublicSpec,
  type Reply,
} from '@vaultsvc/contracts';
import {
  createFolder,
  deleteFolder,
  deleteVault,
  listFolders,
  NewFolder,
  readFolder,
  sealVault,
  updateFolder,
  type Folder,
  type FolderChange,
  type FolderQuery,
} from '@vaultsvc/contracts/vaults';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import { accountContext, reasonOf, stopSchedule } from '@vaultsvc/testing/harness';
import { usePlatform, type Given } from '../testing/platform.js';
import { FolderTree } from './folder-tree.js';
import { RemoveVaults } from '../removal/remove-vaults.job.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

/** Folders of a new vault, called as the gateway does, with a token. */
async function newTree(caller: AccountContext = accountContext()) {
  const { vault_id, vmk } = await platform.newVault(caller);
  const { vat } = await platform.unseal(vault_id, { vmk }, caller);
  const at = (accessLevel: 'read' | 'read_write') => ({ ...caller, vault: { token: vat, accessLevel } });
  const call = <S extends PublicSpec>(op: Operation<S>, input: Given<S>): Promise<Reply<S>> =>
    platform.call(op, input, at('read_write'));
  const params = (folder_id: string) => ({ vault_id, folder_id });
  return {
    vault_id,
    caller,
    vat,
    at,
    make: (name: string, parent_id?: string | null) =>
      call(createFolder, { params: { vault_id }, body: { name, parent_id } }),
    list: (query: Partial<FolderQuery> = {}) => call(listFolders, { params: { vault_id }, query }),
    read: (id: string) => call(readFolder, { params: params(id) }),
    change: (id: string, body: FolderChange) => call(updateFolder, { params: params(id), body }),
    remove: (id: string) => call(deleteFolder, { params: params(id) }),
    path: (path: string) => findOrCreate(vault_id, path, caller),
  };
}

type Tree = Awaited<ReturnType<typeof newTree>>;

function findOrCreate(vaultId: string, path: string, caller: AccountContext): Promise<string> {
  const { context } = platform.service;
  const folders = context.get(FolderTree);
  return context.get(Database).transaction((tx) => folders.findOrCreatePath(tx, vaultId, path, caller));
}

/** Nested folders, each in the one before it. */
async function chain(tree: Tree, levels: number, parent: string | null = null): Promise<string[]> {
  const ids: string[] = [];
  for (let level = 1; level <= levels; level += 1)
    ids.push((await tree.make(`level ${level}`, ids.at(-1) ?? parent)).folder_id);
  return ids;
}

const folderEvents = (accountId: string, names = 'vaults.folder-%') =>
  platform.sql<{ name: string; payload: Record<string, string> }>(
    `SELECT name, payload FROM recorded_events WHERE account_id = $1 AND name LIKE $2 ORDER BY seq`,
    [accountId, names],
  );

const many = (count: number, answer: (index: number) => Promise<unknown>) =>
  Promise.all(Array.from({ length: count }, (_, index) => reasonOf(answer(index))));

describe('creating a folder', () => {
  it('OPEN-11: returns the whole folder, at the root or in another folder', async () => {
    const tree = await newTree();
    const root = await tree.make('Reports');
    expect(root).toEqual({
      folder_id: expect.stringMatching(/^fld_[0-9A-Za-z]{22}$/),
      vault_id: tree.vault_id,
      parent_id: null,
      name: 'Reports',
      path: 'Reports',
      created_at: expect.any(Number),
      updated_at: root.created_at,
    });
    expect(Math.abs(root.created_at - Date.now() / 1_000)).toBeLessThan(5);
    const inner = await tree.make('2026', root.folder_id);
    expect(inner).toMatchObject({ parent_id: root.folder_id, path: 'Reports/2026' });
    expect(await tree.make('At the root', null)).toMatchObject({ parent_id: null });
    expect(await tree.read(inner.folder_id)).toEqual(inner);
  });

  it('OPEN-11: requires a name of 1 to 255 characters', async () => {
    const tree = await newTree();
    for (const name of [
      '',
      '  ',
      '\n',
      'x'.repeat(256),
      '\ud800',
      'a\u0000b',
      'a\u202eb',
      7,
      null,
      undefined,
    ])
      expect(await reasonOf(tree.make(name as string))).toBe('VALIDATION_ERROR');
    expect((await tree.make('😀'.repeat(255))).name).toBe('😀'.repeat(255));
  });

  it('OPEN-11: rejects names that a path would not read as one name', async () => {
    const tree = await newTree();
    for (const name of [
      'a/b',
      '/',
      'a\\b',
      '.',
      '..',
      ' ..',
      'a\uff0fb',
      '\uff0e\uff0e',
      '\u2024\u2024',
      'a\uff3cb',
    ])
      expect(await reasonOf(tree.make(name))).toBe('VALIDATION_ERROR');
    for (const name of ['...', '.git', 'a..b', 'x.', '__proto__', "' OR 1=1 --", '%2e%2e'])
      expect((await tree.make(name)).path).toBe(name);
  });

  it('OPEN-11: stores or rejects names that grow in their canonical form, without an internal error', async () => {
    const tree = await newTree();
    const grown = Array.from({ length: 0x10000 }, (_, point) => String.fromCharCode(point))
      .filter((letter) => letter.isWellFormed() && !/[/\\]/.test(letter.normalize('NFKC')))
      .map((letter) => ({ letter, bytes: Buffer.byteLength(letter.normalize('NFC')) }))
      .toSorted((one, other) => other.bytes - one.bytes)
      .map(({ letter }) => letter);
    const reasons = await many(5, (index) =>
      tree.make(grown.slice(index * 10, index * 10 + 255 - index * 50).join('')),
    );
    for (const reason of reasons) expect(['none', 'VALIDATION_ERROR']).toContain(reason);
    expect(await reasonOf(tree.make('\u{1d160}'.repeat(255)))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(tree.make('\u{1d160}'.repeat(60)))).toBe('none');
    const grownTo = (bytes: number) => '\u{1d160}'.repeat(170) + 'x'.repeat(bytes - 170 * 12);
    expect(await reasonOf(tree.make(grownTo(2_048)))).toBe('none');
    expect(await reasonOf(tree.make(grownTo(2_049)))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(tree.make('\ufdfa'.repeat(255)))).toBe('none');
  });

  it('OPEN-11: rejects the name of a sibling in any case and any Unicode form', async () => {
    const tree = await newTree();
    const [one, other] = [await tree.make('Straße Ä'), await tree.make('Other')];
    for (const name of ['Straße Ä', 'sTRAßE ä', 'Straße A\u0308', 'STRAẞE Ä'])
      expect(await reasonOf(tree.make(name))).toBe('FOLDER_NAME_TAKEN');
    for (const parent of [one, other]) {
      expect(await reasonOf(tree.make('Straße Ä', parent.folder_id))).toBe('none');
      expect(await reasonOf(tree.make('straße ä', parent.folder_id))).toBe('FOLDER_NAME_TAKEN');
    }
    expect(await reasonOf((await newTree(tree.caller)).make('Straße Ä'))).toBe('none');
  });

  it('OPEN-11: accepts a name that differs from that of a sibling in more than case', async () => {
    const tree = await newTree();
    for (const name of ['Strasse', 'Straße', 'ＳＴＲＡＳＳＥ', 'x2', 'x²', '™', 'TM', 'a b', 'a\u00a0b'])
      expect(await reasonOf(tree.make(name))).toBe('none');
  });

  it('OPEN-11: succeeds once of twenty concurrent calls with one name, at the root and in a folder', async () => {
    const tree = await newTree();
    const { folder_id } = await tree.make('Parent');
    for (const parent of [null, folder_id]) {
      const reasons = await many(20, (index) => tree.make(index % 2 ? 'Race' : 'rACE', parent));
      expect(reasons.filter((reason) => reason === 'none')).toHaveLength(1);
      expect(reasons.filter((reason) => reason === 'FOLDER_NAME_TAKEN')).toHaveLength(19);
    }
    expect((await tree.list()).count).toBe(3);
    expect(await folderEvents(tree.caller.credential.accountId)).toHaveLength(3);
  });

  it('OPEN-11: is protected by a unique index against writes that bypass the service', async () => {
    const tree = await newTree();
    await tree.make('Once');
    const copy = `INSERT INTO folders (vault_id, id, parent_id, name, folded_name)
                  SELECT vault_id, $2, parent_id, name, folded_name FROM folders WHERE vault_id = $1`;
    await expect(platform.sql(copy, [tree.vault_id, newId('fld_')])).rejects.toThrow('folders_folded_name');
  });

  it('OPEN-11: is limited to 32 levels', async () => {
    const tree = await newTree();
    const ids = await chain(tree, 32);
    expect((await tree.read(ids[31] as string)).path.split('/')).toHaveLength(32);
    expect(await reasonOf(tree.make('level 33', ids[31]))).toBe('VALIDATION_ERROR');
    expect(await reasonOf(tree.make('beside level 32', ids[30]))).toBe('none');
  });
});

describe('listing folders', () => {
  it('OPEN-11 ENV-13 ENV-14: returns pages of 1 to 500 in the order of names in any case, each folder once', async () => {
    const tree = await newTree();
    const names = ['b', 'A', 'ä', 'C', 'd'];
    for (const name of names) await tree.make(name);
    for (const limit of [0, 501, 1.5]) expect(await reasonOf(tree.list({ limit }))).toBe('VALIDATION_ERROR');
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await tree.list({ limit: 2, ...(cursor && { cursor }) });
      expect(page).toMatchObject({ count: page.folders.length, has_more: page.next_cursor !== undefined });
      seen.push(...page.folders.map(({ name }) => name));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen).toEqual(['A', 'b', 'C', 'd', 'ä']);
    expect((await tree.list({ limit: 500 })).count).toBe(5);
  });

  it('OPEN-11: returns the folders of all levels, or of one folder, with their paths', async () => {
    const tree = await newTree();
    const [a, b, c] = await chain(tree, 3);
    const other = await tree.make('other', a);
    const idsOf = (folders: Folder[]) => folders.map(({ folder_id }) => folder_id);
    const all = await tree.list();
    expect(idsOf(all.folders)).toEqual([a, b, c, other.folder_id]);
    expect(all.folders.map(({ path }) => path)).toEqual([
      'level 1',
      'level 1/level 2',
      'level 1/level 2/level 3',
      'level 1/other',
    ]);
    expect(idsOf((await tree.list({ parent_id: a as string })).folders)).toEqual([b, other.folder_id]);
    const first = await tree.list({ parent_id: a as string, limit: 1 });
    const second = await tree.list({ parent_id: a as string, limit: 1, cursor: first.next_cursor as string });
    expect([...first.folders, ...second.folders].map(({ name }) => name)).toEqual(['level 2', 'other']);
    expect(second.has_more).toBe(false);
    expect(await tree.list({ parent_id: c as string })).toEqual({ folders: [], count: 0, has_more: false });
  });

  it('OPEN-11: continues after names with a common prefix, with a short cursor', async () => {
    const tree = await newTree();
    for (const end of ['1', '2', '3', '4']) await tree.make('😀'.repeat(254) + end);
    const seen = new Set<string>();
    let cursor: string | undefined;
    do {
      const page = await tree.list({ limit: 1, ...(cursor && { cursor }) });
      for (const { folder_id } of page.folders) seen.add(folder_id);
      cursor = page.next_cursor;
      expect(cursor?.length ?? 0).toBeLessThan(500);
    } while (cursor);
    expect(seen.size).toBe(4);
  });

  it('ENV-15: rejects an invalid position', async () => {
    const tree = await newTree();
    for (const cursor of ['x', '[]', '["a"]', '["a",1]'])
      expect(await reasonOf(tree.list({ cursor }))).toBe('CURSOR_INVALID');
  });
});

describe('updating a folder', () => {
  it('OPEN-11: requires a field', async () => {
    const tree = await newTree();
    const { folder_id } = await tree.make('Here');
    for (const body of [
      {},
      { name: null },
      { name: '' },
      { name: 'a/b' },
      { parent_id: 'x' },
      { parent_id: 7 },
    ])
      expect(await reasonOf(tree.change(folder_id, body as FolderChange))).toBe('VALIDATION_ERROR');
  });

  it('OPEN-11: renames, moves, or both; null is the root, an absent parent stays', async () => {
    const tree = await newTree();
    const [a, b, c] = (await chain(tree, 3)) as [string, string, string];
    expect(await tree.change(b, { name: 'B' })).toMatchObject({ parent_id: a, path: 'level 1/B' });
    expect((await tree.read(c)).path).toBe('level 1/B/level 3');
    expect(await tree.change(b, { parent_id: null })).toMatchObject({ parent_id: null, path: 'B' });
    expect((await tree.read(c)).path).toBe('B/level 3');
    expect(await tree.change(b, { name: 'Ends', parent_id: a })).toMatchObject({ path: 'level 1/Ends' });
    expect((await tree.read(c)).path).toBe('level 1/Ends/level 3');
  });

  it('OPEN-11: sets updated_at to the time of the change, never in the future, and keeps created_at', async () => {
    const tree = await newTree();
    const made = await tree.make('Times');
    const times = [made.updated_at];
    for (const name of ['Times 1', 'Times 2', 'Times 2', 'Times 3']) {
      const changed = await tree.change(made.folder_id, { name });
      expect(changed.created_at).toBe(made.created_at);
      times.push(changed.updated_at);
    }
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.at(-1)).toBeLessThanOrEqual(Math.floor(Date.now() / 1_000));
    expect(await tree.read(made.folder_id)).toMatchObject({ updated_at: times.at(-1) });
  });

  it('OPEN-11: rejects the name of a sibling, and accepts its own in any case', async () => {
    const tree = await newTree();
    const [one, two] = [await tree.make('One'), await tree.make('Two')];
    const inner = await tree.make('tWO', one.folder_id);
    expect(await reasonOf(tree.change(one.folder_id, { name: 'tWO' }))).toBe('FOLDER_NAME_TAKEN');
    expect(await reasonOf(tree.change(inner.folder_id, { parent_id: null }))).toBe('FOLDER_NAME_TAKEN');
    expect(await tree.change(two.folder_id, { name: 'tWO' })).toMatchObject({ name: 'tWO' });
    expect(await tree.change(inner.folder_id, { name: 'Free', parent_id: null })).toMatchObject({
      path: 'Free',
    });
  });

  it('OPEN-11: rejects a move into the folder itself or below it', async () => {
    const tree = await newTree();
    const [a, b, c] = (await chain(tree, 3)) as [string, string, string];
    for (const parent_id of [a, b, c])
      expect(await reasonOf(tree.change(a, { parent_id }))).toBe('FOLDER_CYCLE');
    expect(await reasonOf(tree.change(b, { parent_id: c }))).toBe('FOLDER_CYCLE');
    expect(await reasonOf(tree.change(b, { parent_id: a }))).toBe('none');
    expect((await tree.read(c)).path).toBe('level 1/level 2/level 3');
  });

  it('OPEN-11: rejects a move that would nest a folder deeper than 32 levels', async () => {
    const tree = await newTree();
    const deep = await chain(tree, 30);
    const top = await tree.make('moves');
    const inner = await chain(tree, 2, top.folder_id);
    expect(await reasonOf(tree.change(top.folder_id, { parent_id: deep[29] as string }))).toBe(
      'VALIDATION_ERROR',
    );
    expect(await reasonOf(tree.change(top.folder_id, { parent_id: deep[28] as string }))).toBe('none');
    expect((await tree.read(inner[1] as string)).path.split('/')).toHaveLength(32);
    expect(await reasonOf(tree.make('one more', inner[1]))).toBe('VALIDATION_ERROR');
  });

  it('OPEN-11: creates no cycle when two opposite moves run concurrently', async () => {
    const tree = await newTree();
    const [a, b] = [(await tree.make('a')).folder_id, (await tree.make('b')).folder_id];
    for (let round = 0; round < 100; round += 1) {
      const reasons = await Promise.all([
        reasonOf(tree.change(a, { parent_id: b })),
        reasonOf(tree.change(b, { parent_id: a })),
      ]);
      expect(reasons.toSorted()).toEqual(['FOLDER_CYCLE', 'none']);
      const paths = (await tree.list()).folders.map(({ path }) => path);
      expect(paths).toHaveLength(2);
      await tree.change(reasons[0] === 'none' ? a : b, { parent_id: null });
    }
  });
});

describe('deleting a folder', () => {
  it('OPEN-11: removes the folder and frees its name', async () => {
    const tree = await newTree();
    const { folder_id } = await tree.make('Goes');
    expect(await tree.remove(folder_id)).toBeUndefined();
    for (const answer of [
      tree.read(folder_id),
      tree.remove(folder_id),
      tree.change(folder_id, { name: 'x' }),
    ])
      expect(await reasonOf(answer)).toBe('FOLDER_NOT_FOUND');
    expect((await tree.make('goes')).folder_id).not.toBe(folder_id);
  });

  it('OPEN-11: requires an empty folder', async () => {
    const tree = await newTree();
    const [a, b] = (await chain(tree, 2)) as [string, string];
    expect(await reasonOf(tree.remove(a))).toBe('FOLDER_NOT_EMPTY');
    await tree.remove(b);
    expect(await reasonOf(tree.remove(a))).toBe('none');
  });

  it('OPEN-11: deletes nothing that enters the folder concurrently', async () => {
    const tree = await newTree();
    for (let round = 0; round < 20; round += 1) {
      const { folder_id } = await tree.make(`round ${round}`);
      const reasons = await Promise.all([
        reasonOf(tree.remove(folder_id)),
        reasonOf(tree.make('inner', folder_id)),
      ]);
      expect([
        ['none', 'FOLDER_NOT_FOUND'],
        ['FOLDER_NOT_EMPTY', 'none'],
      ]).toContainEqual(reasons);
    }
  });
});

describe('deleting a vault', () => {
  it('VLT-24: hides its folders at once, and deletes them with the vault', async () => {
    const [tree, kept] = [await newTree(), await newTree()];
    const { vault_id, caller } = tree;
    await chain(tree, 3);
    await kept.make('Kept');
    await platform.call(deleteVault, { params: { vault_id } }, caller);
    expect(await reasonOf(tree.list())).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(tree.path('late'))).toBe('VAULT_NOT_FOUND');
    await platform.service.context.get(RemoveVaults).run();
    const left = () => platform.sql(`SELECT 1 FROM folders WHERE vault_id = $1`, [vault_id]);
    expect(await left()).toEqual([]);
    expect((await kept.list()).count).toBe(1);
  });
});

describe('finding or creating a folder by its path', () => {
  it('OPEN-11 ING-06: starts at the root, in any case of the names', async () => {
    const tree = await newTree();
    const id = await tree.path('a/b/c');
    expect(await tree.read(id)).toMatchObject({ name: 'c', path: 'a/b/c' });
    expect(await tree.path('A/b/C')).toBe(id);
    const sibling = await tree.path('A/b/D');
    expect((await tree.read(sibling)).path).toBe('a/b/D');
    const b = (await tree.read(id)).parent_id as string;
    expect(await tree.path('a/b')).toBe(b);
    expect((await tree.list()).count).toBe(4);
    await tree.make('x', id);
    expect(await tree.read(await tree.path('x'))).toMatchObject({ name: 'x', parent_id: null });
    expect((await tree.read(await tree.path('a/x'))).path).toBe('a/x');
  });

  it('OPEN-11: rejects a path with an invalid name, or with more than 32 levels', async () => {
    const tree = await newTree();
    const wrong = [
      '',
      '/',
      '//a',
      'a/',
      'a//b',
      '.',
      'a/../b',
      '..',
      'a\\b',
      'a/\u0000',
      'a/ /b',
      '\uff0e\uff0e/a',
    ];
    for (const path of [...wrong, `${'a/'.repeat(32)}a`, `a/${'x'.repeat(256)}`])
      expect(await reasonOf(tree.path(path))).toBe('VALIDATION_ERROR');
    expect((await tree.list()).count).toBe(0);
    const deepest = await tree.path(`${'a/'.repeat(31)}a`);
    for (const path of [`${'A/'.repeat(31)}A`, `/${'a/'.repeat(31)}a`])
      expect(await tree.path(path)).toBe(deepest);
  });

  it('OPEN-11: returns the same folder to twenty concurrent calls', async () => {
    const tree = await newTree();
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        tree.path(index % 2 ? 'one/Tree/of three' : 'ONE/tree/of three'),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect((await tree.list()).count).toBe(3);
    expect(await folderEvents(tree.caller.credential.accountId)).toHaveLength(3);
  });

  it('ENV-41: creates nothing in a vault of another account', async () => {
    const tree = await newTree();
    expect(await reasonOf(findOrCreate(tree.vault_id, 'a', accountContext()))).toBe('VAULT_NOT_FOUND');
    expect((await tree.list()).count).toBe(0);
  });
});

describe('access to folders', () => {
  it('OPEN-11 VAT-02 VAT-08: requires a token for every operation, and write access for changes', () => {
    const levelOf = ({ access }: PublicSpec) => access.vat;
    expect([listFolders, readFolder].map(levelOf)).toEqual(['read', 'read']);
    expect([createFolder, updateFolder, deleteFolder].map(levelOf)).toEqual(['write', 'write', 'write']);
  });

  it('VAT-08: refuses changes with a read-only token, also for callers that bypass the gateway', async () => {
    const tree = await newTree();
    const { vault_id } = tree;
    const { folder_id } = await tree.make('Kept');
    const reader = tree.at('read');
    const params = { vault_id, folder_id };
    const writes = [
      platform.call(createFolder, { params: { vault_id }, body: { name: 'x' } }, reader),
      platform.call(updateFolder, { params, body: { name: 'x' } }, reader),
      platform.call(deleteFolder, { params }, reader),
    ];
    for (const write of writes) expect(await reasonOf(write)).toBe('VAT_READ_ONLY');
    expect(await platform.call(readFolder, { params }, reader)).toMatchObject({ name: 'Kept' });
    expect(await platform.call(listFolders, { params: { vault_id }, query: {} }, reader)).toMatchObject({
      count: 1,
    });
  });

  it('VLT-22 VAT-11: refuses changes with a token that was sealed before their commit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const tree = await newTree();
      const ids = [await tree.make('Kept'), await tree.make('Renamed')].map(({ folder_id }) => folder_id);
      const [kept, renamed] = ids as [string, string];
      const writes = Array.from({ length: 8 }, (_, index) => [
        reasonOf(tree.make(`${index}`)),
        reasonOf(tree.change(renamed, { name: `Renamed ${index}` })),
      ]).flat();
      await platform.call(sealVault, { params: { vault_id: tree.vault_id } }, tree.caller);
      const late = [tree.make('late'), tree.change(kept, { name: 'late' }), tree.remove(kept)];
      for (const write of late) expect(await reasonOf(write)).toBe('AUTHENTICATION_ERROR');
      for (const reason of await Promise.all(writes))
        expect(['none', 'AUTHENTICATION_ERROR']).toContain(reason);
      const names = (await folderEvents(tree.caller.credential.accountId, 'vaults.%')).map(
        ({ name }) => name,
      );
      expect(names.at(-1)).toBe('vaults.sealed');
    }
  });

  it('VAT-03 VAT-05: refuses changes with a token that expires during the call, or of another vault', async () => {
    const [tree, other] = [await newTree(), await newTree()];
    const { folder_id } = await tree.make('Kept');
    const { vault_id } = tree;
    const writesWith = async (vat: string) => {
      const caller = { ...tree.caller, vault: { token: vat, accessLevel: 'read_write' as const } };
      const params = { vault_id, folder_id };
      return Promise.all([
        reasonOf(platform.call(createFolder, { params: { vault_id }, body: { name: 'x' } }, caller)),
        reasonOf(platform.call(updateFolder, { params, body: { name: 'x' } }, caller)),
        reasonOf(platform.call(deleteFolder, { params }, caller)),
      ]);
    };
    expect(await writesWith(other.vat)).toEqual(Array(3).fill('VAT_OUT_OF_SCOPE'));
    await platform.sql(`UPDATE vault_sessions SET expires_at = now() WHERE vault_id = $1`, [vault_id]);
    expect(await writesWith(tree.vat)).toEqual(Array(3).fill('VAT_EXPIRED'));
  });

  it('ENV-41 AMB-58: answers 404 in every operation for a folder of another vault or account, and for an unknown one', async () => {
    const [mine, foreign] = [await newTree(), await newTree()];
    const own = (await mine.make('Mine')).folder_id;
    const beside = (await (await newTree(mine.caller)).make('Beside')).folder_id;
    const theirs = (await foreign.make('Theirs')).folder_id;
    for (const id of [beside, theirs, newId('fld_')])
      for (const answer of [
        mine.read(id),
        mine.change(id, { name: 'x' }),
        mine.change(own, { parent_id: id }),
        mine.remove(id),
        mine.make('x', id),
        mine.list({ parent_id: id }),
      ])
        expect(await reasonOf(answer)).toBe('FOLDER_NOT_FOUND');
    for (const id of [
      '',
      'fld_',
      own.toUpperCase(),
      newId('ing_'),
      '\u0000',
      "' OR 1=1 --",
      'é',
      'x'.repeat(2_000),
    ])
      for (const answer of [mine.read(id), mine.change(id, { name: 'x' }), mine.remove(id)])
        expect(await reasonOf(answer)).toBe('FOLDER_NOT_FOUND');
    expect(await foreign.read(theirs)).toMatchObject({ name: 'Theirs' });
  });

  it('ENV-41: answers 404 for a vault of another account, also to callers that bypass the gateway', async () => {
    const tree = await newTree();
    const { vault_id } = tree;
    const { folder_id } = await tree.make('Foreign');
    const stranger = { ...tree.at('read_write'), credential: accountContext().credential };
    const params = { vault_id, folder_id };
    const answers = [
      platform.call(createFolder, { params: { vault_id }, body: { name: 'x' } }, stranger),
      platform.call(listFolders, { params: { vault_id }, query: {} }, stranger),
      platform.call(updateFolder, { params, body: { name: 'x' } }, stranger),
      platform.call(deleteFolder, { params }, stranger),
    ];
    for (const answer of answers) expect(await reasonOf(answer)).toBe('VAULT_NOT_FOUND');
    expect(await reasonOf(platform.call(readFolder, { params }, stranger))).toBe('FOLDER_NOT_FOUND');
    expect(await tree.list()).toMatchObject({ count: 1, folders: [{ name: 'Foreign' }] });
  });
});

describe('events and reference of folders', () => {
  it('OPEN-11: events contain only ids, and occur once per committed change', async () => {
    const tree = await newTree();
    const { accountId, credentialId } = tree.caller.credential;
    const { folder_id } = await tree.make('Canary');
    await tree.change(folder_id, { name: 'Canary 2' });
    await reasonOf(tree.make('cANARY 2'));
    await reasonOf(tree.change(folder_id, { parent_id: folder_id }));
    await tree.remove(folder_id);
    await reasonOf(tree.remove(folder_id));
    const payload = {
      vault_id: tree.vault_id,
      account_id: accountId,
      actor_type: 'api_key',
      actor_id: credentialId,
      folder_id,
    };
    expect(await folderEvents(accountId)).toEqual([
      { name: 'vaults.folder-created', payload },
      { name: 'vaults.folder-changed', payload },
      { name: 'vaults.folder-deleted', payload },
    ]);
  });

  it('OPEN-11: the reference documents the length of names', () => {
    expect(schemaOf(NewFolder).properties?.['name']).toMatchObject({ minLength: 1, maxLength: 255 });
  });
});

import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal, type Answer, type ReceivedCall } from '../testing/fake-api.js';
import { file, folder, vaultHolds } from '../testing/vault-content.js';

let cli: CliFixture;
let root: string;
let runs = 0;
beforeAll(async () => void (cli = await CliFixture.start()));
beforeEach(async () => {
  await cli.openVault();
  root = cli.path(`run-${(runs += 1)}`);
  mkdirSync(root);
});
afterAll(() => cli.stop());

const INGOTS = '/v1/vaults/vlt_1/ingots';
const write = (path: string, content: string) => {
  mkdirSync(dirname(`${root}/${path}`), { recursive: true });
  writeFileSync(`${root}/${path}`, content);
};
const all = (folderPath: string) =>
  readdirSync(folderPath, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folderPath.length + 1))
    .toSorted();

type Routes = Record<string, Answer | ((call: ReceivedCall) => Answer)>;

/** A vault that accepts uploads, and holds what was uploaded. */
class Vault {
  readonly stored = new Map<string, Buffer>();
  readonly #content: object[] = [];
  #count = 0;

  constructor(others: Routes = {}) {
    this.serve(others);
  }

  /** The names of the uploads that were begun. */
  get begun(): string[] {
    return cli.api.calls.filter(({ call }) => call === `POST ${INGOTS}`).map(({ body }) => pathOf(body));
  }

  /** Answers with what was stored so far. */
  serve(others: Routes = {}): void {
    const tus = { 'Tus-Resumable': '1.0.0' };
    const pending = [...Array(20).keys()].map((i) => `ing_${i}`);
    cli.api.answers({
      ...vaultHolds(this.#content),
      [`POST ${INGOTS}`]: ({ body }) => this.#begin(body),
      ...Object.fromEntries(
        pending.flatMap((id) => [
          [`POST /tus/${id}`, { status: 201, headers: { ...tus, Location: `${cli.api.url}/tus/${id}/1` } }],
          [
            `PATCH /tus/${id}/1`,
            (call: ReceivedCall) => {
              this.#complete(id, call.body);
              return { status: 204, headers: { ...tus, 'Upload-Offset': String(call.body.length) } };
            },
          ],
          [`GET ${INGOTS}/${id}`, () => this.#read(id)],
        ]),
      ),
      ...others,
    });
  }

  readonly #paths = new Map<string, string>();

  #begin(body: Buffer): Answer {
    const id = `ing_${(this.#count += 1)}`;
    this.#paths.set(id, pathOf(body));
    return { status: 201, data: { ingot_id: id, forge_url: `${cli.api.url}/tus/${id}` } };
  }

  #complete(id: string, bytes: Buffer): void {
    const path = this.#paths.get(id) ?? '';
    const [name, ...parents] = path.split('/').reverse();
    this.stored.set(path, bytes);
    const folder_path = parents.reverse().join('/');
    const folder_id = folder_path === '' ? null : `fld_${folder_path.replaceAll('/', '_')}`;
    if (folder_id !== null) this.#content.push(folder(folder_id, folder_path));
    this.#content.push(file(id, name ?? '', { size_bytes: bytes.length, folder_id }));
  }

  #read(id: string): Answer {
    const found = this.#content.find((item) => 'ingot_id' in item && item.ingot_id === id);
    return found ? { data: found } : refusal(404, 'NOT_FOUND');
  }
}

function pathOf(body: Buffer): string {
  const { name, folder_path } = JSON.parse(body.toString()) as { name: string; folder_path?: string };
  return folder_path === undefined ? name : `${folder_path}/${name}`;
}

describe('vaultsvc upload --recursive', () => {
  const upload = (...options: string[]) =>
    cli.run(['upload', 'box', root, '--recursive', '--name', 'top', ...options]);

  it('CLI-08: stores every file below the folder, under its path', async () => {
    for (const path of ['a.txt', 'x/b.txt', 'x/y/c.txt']) write(path, `content of ${path}`);
    const vault = new Vault();
    const { code, stderr } = await upload('--folder', '2026');
    expect([code, stderr]).toEqual([0, expect.stringContaining('Uploaded 3 files')]);
    expect(Object.fromEntries([...vault.stored].map(([path, bytes]) => [path, bytes.toString()]))).toEqual({
      '2026/top/a.txt': 'content of a.txt',
      '2026/top/x/b.txt': 'content of x/b.txt',
      '2026/top/x/y/c.txt': 'content of x/y/c.txt',
    });
  });

  it('CLI-08: leaves the folder by no symbolic link, and reports each', async () => {
    write('a.txt', 'a');
    writeFileSync(cli.path('outside.txt'), 'outside');
    symlinkSync(cli.path('outside.txt'), `${root}/link.txt`);
    symlinkSync(cli.folder, `${root}/folder`);
    symlinkSync(root, `${root}/loop`);
    const vault = new Vault();
    const { code, stderr } = await upload();
    expect([code, [...vault.stored.keys()]]).toEqual([1, ['top/a.txt']]);
    for (const name of ['link.txt', 'folder', 'loop'])
      expect(stderr).toContain(`vaultsvc: ${name}: is a symbolic link`);
    expect(stderr).toContain('Uploaded 1 file, 1 B; 3 files failed.');
  });

  it('CLI-08: goes on after a file that fails, and says which and why', async () => {
    write('a.txt', '');
    write('b.txt', 'b');
    const vault = new Vault();
    const { code, stdout } = await upload('--json');
    expect([code, JSON.parse(stdout)]).toEqual([
      1,
      {
        vault_id: 'vlt_1',
        folder: 'top',
        transferred: ['b.txt'],
        unchanged: [],
        failed: [{ path: 'a.txt', message: expect.stringContaining('empty') }],
      },
    ]);
    expect([...vault.stored.keys()]).toEqual(['top/b.txt']);
  });

  it('CLI-08: continues after an interruption, and sends no file again that is stored', async () => {
    write('a.txt', 'a');
    write('b.txt', 'b');
    const stop = new AbortController();
    const vault = new Vault({
      'POST /tus/ing_2': () => {
        stop.abort();
        return { status: 500 };
      },
    });
    const words = ['upload', 'box', root, '--recursive', '--name', 'top'];
    const stopped = await cli.run(words, { signal: stop.signal });
    expect(stopped).toMatchObject({ code: 130, stderr: expect.stringContaining('same command again') });
    vault.serve();
    const { stderr } = await cli.run(words);
    expect(stderr).toContain('1 file there already');
    expect(vault.begun).toEqual(['top/b.txt']);
  });

  it('CLI-08: replaces no file of the vault, whatever its content', async () => {
    write('a.txt', 'old');
    const vault = new Vault();
    await upload();
    write('a.txt', 'new');
    utimesSync(`${root}/a.txt`, 1, 1);
    vault.serve();
    const { code, stderr } = await upload();
    expect([code, vault.begun, vault.stored.get('top/a.txt')?.toString()]).toEqual([1, [], 'old']);
    expect(stderr).toContain('a.txt: exists in the vault with other content');
  });

  it('CLI-08: knows a file that is stored by the hash of its content', async () => {
    write('a.txt', 'same');
    const content_hash = createHash('sha256').update('same').digest('hex');
    const stored = (hash: string) => {
      const ingot = file('ing_9', 'a.txt', { folder_id: 'fld_1', size_bytes: 4, content_hash: hash });
      cli.api.answers(vaultHolds([folder('fld_1', 'top'), ingot]));
    };
    stored(content_hash);
    expect(await upload()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('1 file there already'),
    });
    stored('0'.repeat(64));
    expect((await upload()).code).toBe(1);
  });

  it('CLI-03: stops where every file would fail', async () => {
    write('a.txt', 'a');
    write('b.txt', 'b');
    const vault = new Vault({ [`POST ${INGOTS}`]: refusal(402, 'QUOTA_EXCEEDED') });
    expect((await upload()).code).toBe(1);
    expect(vault.begun).toHaveLength(1);
    write('file', 'x');
    expect((await cli.run(['upload', 'box', `${root}/file`, '--recursive'])).code).toBe(2);
    expect((await cli.run('upload box - --recursive')).code).toBe(2);
    expect(await cli.run(['upload', 'box', root])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--recursive uploads it'),
    });
  });
});

describe('vaultsvc upload --create-only', () => {
  it('CLI-08: refuses a name that the vault has, before anything is sent', async () => {
    write('a.txt', 'a');
    cli.api.answers(vaultHolds([file('ing_1', 'A.txt')]));
    const { code, stderr } = await cli.run(['upload', 'box', `${root}/a.txt`, '--create-only']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('exists already in the vault')]);
    expect(cli.api.called.filter((call) => call.startsWith('POST'))).toEqual([]);
    const vault = new Vault();
    expect((await cli.run(['upload', 'box', `${root}/a.txt`, '--create-only'])).code).toBe(0);
    expect(vault.begun).toEqual(['a.txt']);
  });
});

describe('vaultsvc download --recursive', () => {
  const bytes = (id: string) => Buffer.from(`content of ${id}`);
  const offer = (content: readonly object[], others: Record<string, Answer> = {}) => {
    const ids = content.flatMap((item) => ('ingot_id' in item ? [String(item.ingot_id)] : []));
    cli.api.answers({
      ...vaultHolds(content),
      ...Object.fromEntries(
        ids.flatMap((id) => [
          [
            `POST ${INGOTS}/${id}/download`,
            {
              data: { download_url: `${cli.api.url}/get/${id}`, ingot_id: id, size_bytes: bytes(id).length },
            },
          ],
          [`GET /get/${id}`, { status: 206, raw: bytes(id) }],
        ]),
      ),
      ...others,
    });
  };
  const stored = (id: string, name: string, changes: object = {}) =>
    file(id, name, { size_bytes: bytes(id).length, ...changes });
  const content = [
    folder('fld_1', 'top'),
    folder('fld_2', 'top/x', 'fld_1'),
    stored('ing_1', 'a.txt', { folder_id: 'fld_1' }),
    stored('ing_2', 'b.txt', { folder_id: 'fld_2' }),
    stored('ing_3', 'c.txt'),
  ];
  const download = (path = 'top', ...options: string[]) =>
    cli.run(['download', 'box', path, '--recursive', '--out', `${root}/out`, ...options]);
  const downloads = () => cli.api.called.filter((call) => call.endsWith('/download'));

  it('CLI-08: writes every file of a folder, or of the vault, under its path', async () => {
    offer(content);
    expect(await download()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Downloaded 2 files'),
    });
    expect(all(`${root}/out`)).toEqual(['a.txt', 'x/b.txt']);
    expect(readFileSync(`${root}/out/x/b.txt`)).toEqual(bytes('ing_2'));
    offer(content);
    await cli.run(['download', 'box', '/', '--recursive', '--out', `${root}/all`]);
    expect(all(`${root}/all`)).toEqual(['c.txt', 'top/a.txt', 'top/x/b.txt']);
  });

  it('CLI-08: replaces no file, and downloads none again that is there', async () => {
    write('out/a.txt', 'mine');
    offer(content);
    const { code, stderr } = await download();
    expect([code, readFileSync(`${root}/out/a.txt`, 'utf8')]).toEqual([1, 'mine']);
    expect(stderr).toMatch(/a\.txt: exists already/);
    offer(content);
    expect(await download()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('1 file there already'),
    });
    expect(downloads()).toEqual([]);
  });

  it('CLI-08: notices a file that was changed here or in the vault since', async () => {
    offer(content);
    await download();
    write('out/a.txt', 'content of ing_9');
    utimesSync(`${root}/out/a.txt`, 1, 1);
    const changed = content.map((item) =>
      'ingot_id' in item && item.ingot_id === 'ing_2' ? { ...item, updated_at: 1_700_000_001 } : item,
    );
    offer(changed);
    const { code, stderr } = await download();
    expect([code, downloads()]).toEqual([1, []]);
    expect(stderr).toContain('2 files failed');
    expect(readFileSync(`${root}/out/a.txt`, 'utf8')).toBe('content of ing_9');
  });

  it('CLI-08: writes nothing outside of its folder, whatever names the vault has', async () => {
    mkdirSync(`${root}/out`);
    mkdirSync(`${root}/elsewhere`);
    symlinkSync(`${root}/elsewhere`, `${root}/out/link`);
    symlinkSync(`${root}/elsewhere/new.txt`, `${root}/out/dangling.txt`);
    offer([
      folder('fld_1', 'top'),
      folder('fld_2', 'top/link', 'fld_1'),
      folder('fld_3', 'top/..', 'fld_1'),
      stored('ing_1', '../evil.txt', { folder_id: 'fld_1' }),
      stored('ing_2', 'b.txt', { folder_id: 'fld_2' }),
      stored('ing_3', 'evil.txt', { folder_id: 'fld_3' }),
      stored('ing_4', '/etc/evil.txt', { folder_id: 'fld_1' }),
      stored('ing_5', 'dangling.txt', { folder_id: 'fld_1' }),
      stored('ing_6', 'good.txt', { folder_id: 'fld_1' }),
    ]);
    const { code, stderr } = await download();
    expect([code, downloads()]).toEqual([1, [`POST ${INGOTS}/ing_6/download`]]);
    expect(stderr).toContain('5 files failed');
    expect([readdirSync(`${root}/elsewhere`), existsSync(`${root}/evil.txt`)]).toEqual([[], false]);
    expect(all(root)).toEqual(['out/good.txt']);
  });

  it('CLI-08: leaves sets of secrets and unfinished uploads out', async () => {
    offer([
      folder('fld_1', 'top'),
      stored('ing_1', 'set', { folder_id: 'fld_1', managed_by: 'structured-ingots' }),
      stored('ing_2', 'torn.txt', { folder_id: 'fld_1', status: 'uploading' }),
    ]);
    const { code, stderr } = await download();
    expect([code, downloads()]).toEqual([1, []]);
    expect(stderr).toContain('torn.txt: has no content yet');
    expect(stderr).not.toContain('set:');
  });

  it('CLI-03: says what to do with a file, an unknown folder and the standard output', async () => {
    offer(content);
    expect((await download('c.txt')).code).toBe(2);
    expect((await download('none')).code).toBe(4);
    expect((await cli.run('download box top --recursive --out -')).code).toBe(2);
    expect(downloads()).toEqual([]);
  });
});

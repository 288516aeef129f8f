import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { CredentialStore } from './credential-store.js';

const [one, other] = ['https://one.example', 'https://other.example'];
let folder: string;
let store: CredentialStore;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'vaultsvc-cli-')), 'config');
  store = new CredentialStore(folder);
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

describe('the file of credentials', () => {
  it('CLI-02: can be read by its owner alone, as its folder', async () => {
    await store.login(one, { api_key: 'vk' });
    expect([statSync(store.path).mode & 0o777, statSync(folder).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(readdirSync(folder)).toEqual(['config.json']);
  });

  it.each([0o640, 0o604, 0o620])(
    'CLI-02: is refused with mode %o, with the command that repairs it',
    async (mode) => {
      await store.login(one, { api_key: 'vk' });
      chmodSync(store.path, mode);
      expect(() => store.server(one)).toThrow(`Run: chmod 600 ${store.path}`);
    },
  );

  it('CLI-02: keeps the credentials of each API apart, and forgets those of one', async () => {
    await store.login(one, { api_key: 'vk_one' });
    await store.saveVault(one, 'vlt_a', { name: 'a', vat: 'vat_a' });
    await store.login(other, { api_key: 'vk_other' });
    expect([store.currentUrl, store.server(one).api_key]).toEqual([other, 'vk_one']);
    await store.logout(other);
    expect([store.currentUrl, store.server(other)]).toEqual([undefined, {}]);
    await store.login(one, { api_key: 'vk_two' });
    expect(store.server(one)).toEqual({ api_key: 'vk_two', vaults: { vlt_a: { name: 'a', vat: 'vat_a' } } });
  });

  it('CLI-02: keeps what commands write at the same time', async () => {
    await store.login(one, { api_key: 'vk' });
    const ids = Array.from({ length: 10 }, (_, i) => `vlt_${i}`);
    await Promise.all(ids.map((id) => new CredentialStore(folder).saveVault(one, id, { vat: id })));
    expect(Object.keys(store.server(one).vaults ?? {}).toSorted()).toEqual(ids);
  });

  it('CLI-03: is named when it is damaged', async () => {
    await store.login(one, { api_key: 'vk_secret' });
    writeFileSync(store.path, readFileSync(store.path, 'utf8').slice(0, -5));
    expect(() => store.server(one)).toThrow(`${store.path} is damaged. Delete it, then log in again.`);
  });
});

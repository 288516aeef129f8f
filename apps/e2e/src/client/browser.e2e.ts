import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createClient, download, unseal } from '@vaultsvc/client';
import { launchBrowser, openContext } from '../browser/browser.js';
import { identity, newEmail } from '../sign-in.js';
import { pagesOrigin, stack } from '../stack.js';
import { RandomFile } from '../upload/random-file.js';
import { TcpFaultProxy } from '../upload/tcp-fault-proxy.js';
import { CHUNK_BYTES } from '../upload/tus-upload.js';
import { ClientSite } from './client-site.js';

const { api_url, forge_url } = stack();
let browser: Browser;
let context: BrowserContext;
let site: ClientSite;
let proxy: TcpFaultProxy;
let file: RandomFile;
let address: string;
const errors: string[] = [];

beforeAll(async () => {
  [browser, site, proxy, file] = await Promise.all([
    launchBrowser(),
    ClientSite.start(pagesOrigin()),
    TcpFaultProxy.start(forge_url),
    RandomFile.make('film.bin', 120_000_000),
  ]);
  context = await openContext(browser);
  address = `${pagesOrigin()}/?${new URLSearchParams({ api: api_url, forge: forge_url, proxy: proxy.origin }).toString()}`;
});
afterAll(async () => {
  await Promise.all([browser.close(), site.stop(), proxy.close(), file.remove()]);
});

async function openTab(): Promise<Page> {
  const tab = await context.newPage();
  tab.on('pageerror', (error) => errors.push(error.message));
  await tab.goto(address);
  return tab;
}

interface Renewal {
  readonly began: number;
  readonly ended: number;
  readonly status: number;
}

/** Evaluates an export of the page's script. */
const run = <T>(tab: Page, expression: string) => tab.evaluate<T>(`page.${expression}`);
const signUp = async (tab: Page) =>
  run(tab, `signUp(${JSON.stringify(await identity.code({ email: newEmail() }))})`);

describe('The client in two tabs of a browser', () => {
  it('SDK-07: renews the session of a cookie by one call at a time, without a replay', async () => {
    const [first, second] = [await openTab(), await openTab()];
    await signUp(first);
    expect(await run(second, 'role()')).toBe('owner');
    const tabs = [first, second];
    const renewals = async () =>
      (await Promise.all(tabs.map((tab) => run<Renewal[]>(tab, 'renewals()')))).flat();
    await renewals();
    for (let round = 0; round < 5; round++) await Promise.all(tabs.map((tab) => run(tab, 'renewTwice()')));
    const all = (await renewals()).sort((one, other) => one.began - other.began || one.ended - other.ended);
    expect(all.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(all.filter(({ began }, index) => began < (all[index - 1]?.ended ?? 0))).toEqual([]);
    expect(await run(first, 'role()')).toBe('owner');
    await run(first, 'end()');
    await expect(run(second, 'renew()')).resolves.toBeUndefined();
    expect(errors).toEqual([]);
  });
});

describe('The client in a page', () => {
  it('SDK-08 SDK-12: resumes an upload after a reload, and the content is complete', async () => {
    const tab = await openTab();
    await signUp(tab);
    const vault = await run<{ vault_id: string; vmk: string }>(tab, 'createVault()');
    const open = `openVault(${JSON.stringify(vault)})`;
    await run(tab, open);
    const inSecondChunk = proxy.inject({ kind: 'hold', afterBytes: CHUNK_BYTES + 20_000_000 });
    await tab.setInputFiles('#file', file.path);
    await inSecondChunk;

    const offsets: string[] = [];
    tab.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
    });
    await tab.reload();
    await run(tab, open);
    await tab.setInputFiles('#file', file.path);
    await tab.getByText('complete').waitFor();
    expect(offsets).toEqual([CHUNK_BYTES, 2 * CHUNK_BYTES].map(String));
    expect(await tab.evaluate('JSON.stringify({ ...localStorage })')).toBe('{}');
    const ingot = ((await tab.locator('#state').textContent()) ?? '').replace('complete ', '');
    expect(await hashIn(tab, vault, ingot)).toBe(file.hash);
    expect(errors).toEqual([]);
  });

  /** SHA-256 of the file, read by a program with the session of the page. */
  async function hashIn(tab: Page, { vault_id, vmk }: { vault_id: string; vmk: string }, ingot: string) {
    const token = await run<string>(tab, 'renew()');
    const session = { accessToken: async () => token, renewAfter: async () => undefined };
    const vault = await unseal(createClient({ url: api_url, session }), vault_id, { vmk });
    const hash = createHash('sha256');
    for await (const part of (await download(vault, ingot)).body as unknown as AsyncIterable<Uint8Array>)
      hash.update(part);
    return hash.digest('hex');
  }
});

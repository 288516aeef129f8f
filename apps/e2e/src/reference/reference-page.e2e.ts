import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { stack } from '../stack.js';

const { api_url, account } = stack();
const desktop = { width: 1280, height: 900 };

let browser: Browser;
let context: BrowserContext | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterEach(() => closeContext(context));
afterAll(() => browser.close());

/** Opens a page, and collects what the browser reports and whom it asks. */
async function open(path: string, options: BrowserContextOptions = {}) {
  context = await openContext(browser, { viewport: desktop, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  const origins = new Set<string>();
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('request', (request) => origins.add(new URL(request.url()).origin));
  await page.goto(`${api_url}${path}`);
  return { page, problems, origins };
}

/** Presses the arrow until an option is active, and Enter. */
async function chooseByKeys(page: Page, text: string) {
  const active = page.locator('[role=option][aria-selected=true]');
  for (let step = 0; step < 12 && !(await active.innerText()).includes(text); step += 1)
    await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}

const operation = (page: Page) => page.getByRole('heading', { name: 'Creates a Spark' });
const CREATE_SPARK = '/docs#tag/sparks/POST/v1/sparks';

describe('OPEN-56: the reference at /docs, in a browser,', () => {
  it('MISC-02: is drawn without an error, and without a request to another server', async () => {
    const { page, problems, origins } = await open(CREATE_SPARK);
    await operation(page).first().waitFor();
    await page.getByText('At most 2 MiB').first().waitFor();
    expect(problems).toEqual([]);
    expect([...origins].filter((origin) => origin !== 'null')).toEqual([api_url]);
  });

  it('MISC-02: lists its groups in reading order', async () => {
    const { page } = await open('/docs');
    const navigation = page.getByRole('complementary');
    await navigation.getByText('Integrations', { exact: true }).waitFor();
    const text = (await navigation.innerText()).split('\n').map((line) => line.trim());
    const groups = [
      'Start',
      'Sparks',
      'Links',
      'Vaults',
      'Files',
      'Structured',
      'Entropy',
      'Notify',
      'Audit',
      'Billing',
    ];
    const places = groups.map((group) => text.indexOf(group));
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places).not.toContain(-1);
  });

  it('MISC-02: finds an operation by its words, with the keyboard alone', async () => {
    const { page, problems } = await open('/docs');
    await page.getByText('Download OpenAPI Document').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('burns it');
    await page.getByRole('option').filter({ hasText: 'Reads a Spark and burns it' }).waitFor();
    await chooseByKeys(page, 'Reads a Spark and burns it');
    await page.waitForURL(/#tag\/sparks\/GET\/v1\/sparks\/\{spark_id\}$/);
    await page.getByRole('heading', { name: 'Reads a Spark and burns it' }).first().waitFor();
    expect(problems).toEqual([]);
  });

  it("SPK-15: sends a request of the console with the caller's key, which is kept in memory only", async () => {
    const { page, problems } = await open(CREATE_SPARK);
    await page
      .getByRole('button', { name: /^Test Request/ })
      .first()
      .click();
    const console_ = page.getByRole('dialog').filter({ hasText: 'Request Body' });
    await console_.locator('input[autocomplete="off"][placeholder]').first().fill(account.api_key);
    const [response] = await Promise.all([
      page.waitForResponse((each) => each.request().method() === 'POST'),
      console_.getByRole('button', { name: /^Send/ }).first().click(),
    ]);
    expect(response.status()).toBe(201);
    await console_.getByText('spk_').first().waitFor();
    expect(problems).toEqual([]);
    const kept = 'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])';
    expect(await page.evaluate<string>(kept)).not.toContain(account.api_key);
  });

  it('MISC-02: is a list with links to the guides without JavaScript', async () => {
    const { page } = await open('/docs', { javaScriptEnabled: false });
    expect(await page.getByText('POST /v1/sparks', { exact: true }).count()).toBe(1);
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('heading', { name: 'Files: for authors of clients' }).waitFor();
  });
});

/** Of the page in which `evaluate` runs its function. */
declare const getComputedStyle: (element: unknown) => { readonly opacity: string };

describe('MISC-02: a block of code', () => {
  it('of a guide is copied by its button', async () => {
    const { page } = await open('/docs/guides/links', {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const blocks = page.locator('pre');
    const buttons = page.getByRole('button', { name: 'Copy', exact: true });
    expect(await buttons.count()).toBe(await blocks.count());
    await buttons.first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toBe((await blocks.first().innerText()).trimEnd());
  });

  it('of the reference shows its button without a pointer that hovers', async () => {
    const { page } = await open(CREATE_SPARK, { hasTouch: true, isMobile: true });
    const button = page.getByRole('button', { name: 'Copy', exact: true }).first();
    await button.waitFor();
    expect(await button.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  });
});

describe('MISC-02: on phone and desktop, light and dark, axe finds no violation', () => {
  const looks = new Looks('reference');

  it('in the reference', async () => {
    const { page } = await open('/docs');
    await page.getByRole('heading', { name: 'vaultsvc API' }).waitFor();
    await page.getByText('Download OpenAPI Document').first().waitFor();
    await looks.each(page, 'docs');
  });

  it('in an operation', async () => {
    const { page } = await open(CREATE_SPARK);
    await operation(page).first().waitFor();
    await page.getByText('At most 2 MiB').first().waitFor();
    await looks.each(page, 'operation');
  });

  it('in a guide', async () => {
    const { page } = await open('/docs/guides/links');
    await looks.each(page, 'guide', async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true),
    );
  });

  it('in the search, which is loaded when it is first used, and which Escape closes and empties', async () => {
    const { page, problems } = await open('/docs/guides/links');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const input = page.getByRole('combobox', { name: 'Search the documentation' });
    expect(requested).toEqual([]);
    await page.keyboard.press('/');
    await page.keyboard.type('one time secret');
    await page.getByRole('option').filter({ hasText: 'Creates a Spark' }).waitFor();
    expect(requested.sort()).toEqual(['/docs/search.js', '/docs/search.json']);
    await looks.check(page, 'search');
    await page.keyboard.press('Escape');
    expect(await page.getByRole('option').count()).toBe(0);
    expect(await input.inputValue()).toBe('one time secret');
    await page.keyboard.press('Escape');
    expect(await input.inputValue()).toBe('');
    await page.keyboard.type('xyzzy plugh');
    await page.getByText('Nothing found').waitFor();
    expect(problems).toEqual([]);
  });

  it('in the index of the guides, which leads to each', async () => {
    const { page } = await open('/docs');
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Guides' })
      .click();
    await page.getByRole('heading', { name: 'Guides', exact: true }).waitFor();
    await looks.check(page, 'guides');
    await page.getByRole('main').getByRole('link', { name: 'Files', exact: true }).click();
    await page.getByRole('heading', { name: 'Files: for authors of clients' }).waitFor();
  });

  it('on a page that does not exist, which leads on', async () => {
    const { page } = await open('/docs/guides/none');
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
    await looks.check(page, 'missing');
    await page.getByRole('link', { name: 'All guides' }).click();
    await page.waitForURL(`${api_url}/docs/guides`);
  });

  it('in the list that is there without JavaScript', async () => {
    const { page } = await open('/docs', { javaScriptEnabled: false });
    expect(await page.locator('main#list li').count()).toBeGreaterThan(150);
  });
});

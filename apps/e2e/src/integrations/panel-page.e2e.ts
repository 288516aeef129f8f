import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser, BrowserContext, Request, Route } from 'playwright-core';
import { closeContext, launchBrowser, openContext } from '../browser/browser.js';
import { Looks } from '../browser/looks.js';
import { stack } from '../stack.js';
import type { CrmApp } from './crm-client.js';
import { FramedPanel, LocalCrm } from './framed-panel.js';

const video = { name: 'video.bin', mimeType: '', buffer: randomBytes(2_000_000) };
const report = { name: 'Quarterly report.pdf', mimeType: 'application/pdf', buffer: randomBytes(300_000) };

let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  browser = await launchBrowser();
});
beforeEach(async () => {
  context = await openContext(browser, { viewport: { width: 900, height: 800 }, acceptDownloads: true });
});
afterEach(() => closeContext(context));
afterAll(() => browser.close());

describe.each<{ app: CrmApp }>([{ app: 'crma' }, { app: 'crmb' }])(
  'OPEN-66: a person at a record of $app',
  ({ app }) => {
    let crm: LocalCrm;
    beforeAll(async () => {
      crm = await LocalCrm.connect(app);
    });
    const open = () => crm.open(context, newId('r_'));

    it('CRA-05 CRA-06 FRG-11: unlocks the vault, adds a file by tus, and downloads it', async () => {
      const panel = await open();
      await panel.frame.getByText('This record has no files yet.').waitFor();
      await panel.unlock(crm.vmk);
      await panel.frame
        .getByText(/^Unlocked until \d\d:\d\d\.$/)
        .first()
        .waitFor();
      await panel.add(report);
      await panel.button(`Download ${report.name}`).waitFor();
      const download = await panel.download(report.name);
      expect(download.suggestedFilename()).toBe(report.name);
      expect(readFileSync(await download.path()).equals(report.buffer)).toBe(true);
      await panel.row(report.name).getByText('300 kB').waitFor(); // the panel is still there
      expect(panel.errors).toEqual([]);
    });

    it('CRA-09: deletes a file after a question, and can keep it', async () => {
      const panel = await open();
      await panel.unlock(crm.vmk);
      await panel.add(report);
      await panel.button(`Delete ${report.name}`).click();
      await panel.button('Keep').click();
      await panel.button(`Delete ${report.name}`).click();
      await panel.button('Delete').click();
      await panel.frame.getByText('This record has no files yet.').waitFor();
      expect(panel.errors).toEqual([]);
    });

    it('SHR-16: shares a file by a link that somebody outside opens once', async () => {
      const panel = await open();
      await panel.unlock(crm.vmk);
      await panel.add(report);
      await panel.button(`Share ${report.name}`).click();
      const url = await panel.frame.getByLabel(`Link to ${report.name}`).inputValue();
      const outside = await openContext(browser, { acceptDownloads: true });
      const page = await outside.newPage();
      await page.goto(url);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download', exact: true }).click(),
      ]);
      expect(readFileSync(await download.path()).equals(report.buffer)).toBe(true);
      await page.getByText('This link is used up now.').waitFor();
      await outside.close();
      expect(panel.errors).toEqual([]);
    });

    it('opens once: the same URL in another tab says how to open it again', async () => {
      const url = await crm.panelUrl(newId('r_'));
      const [first, second] = [await context.newPage(), await context.newPage()];
      await first.goto(url);
      await first.getByRole('heading', { name: /^Files of contact/ }).waitFor();
      expect(new URL(first.url()).hash).toBe('');
      await second.goto(url);
      await second.getByRole('heading', { name: 'This panel has been opened before' }).waitFor();
      await first.reload();
      await first.getByRole('heading', { name: 'This panel opens from a record' }).waitFor();
    });
  },
);

/**
 * Decides what happens to content that is sent to Forge, from before a page opens: a request that is on its way when interception
 * begins may never be answered.
 * @returns how often content was sent
 */
async function interceptContent(decide: (route: Route, count: number) => unknown): Promise<() => number> {
  let count = 0;
  await context.route(`${stack().forge_url}/**`, (route) =>
    route.request().method() === 'PATCH' ? decide(route, ++count) : route.continue(),
  );
  return () => count;
}

describe('OPEN-66: a panel', () => {
  let crm: LocalCrm;
  beforeAll(async () => {
    crm = await LocalCrm.connect('crma');
  });

  it('is shown in frames of its CRM, and in those of no other site', async () => {
    const elsewhere = await FramedPanel.visit(context, stack().crmb_api_url);
    const url = await crm.panelUrl('1');
    await elsewhere.page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: ${JSON.stringify(url)} }))`,
    );
    await eventually(
      () => elsewhere.errors.join(' '),
      (text) => text.includes('frame-ancestors'),
    );
  });

  it('CRA-06: asks for the key where it is needed, says when it is wrong, and then goes on', async () => {
    const panel = await crm.open(context, newId('r_'));
    await panel.add(report);
    await panel.frame.getByText('This needs a key of the vault.').waitFor();
    await panel.unlock('vmk_wrong');
    await panel.frame.getByRole('alert').filter({ hasText: 'This key does not open this vault.' }).waitFor();
    await panel.unlock('dvak_wrong');
    await panel.frame
      .getByRole('alert')
      .filter({ hasText: 'This key is not valid. Copy it whole.' })
      .waitFor();
    await panel.unlock(crm.vmk);
    await panel.button(`Download ${report.name}`).waitFor();
    await panel.button('Lock').click();
    await panel.button(`Share ${report.name}`).click();
    await panel.frame.getByText('This needs a key of the vault.').waitFor();
  });

  it('CRA-05: replaces a file of the same name after a question', async () => {
    const panel = await crm.open(context, newId('r_'));
    await panel.unlock(crm.vmk);
    await panel.add({ ...report, buffer: Buffer.from('old') });
    await panel.button(`Download ${report.name}`).waitFor();
    await panel.add({ ...report, buffer: Buffer.from('of the other kind') });
    await panel.frame.getByText('A file has this name.').waitFor();
    await panel.button('Replace it').click();
    await panel.row(report.name).getByText('17 bytes').waitFor();
    await panel.add({ ...report, buffer: Buffer.from('third') });
    await panel.button(`Skip ${report.name}`).click();
    await panel.button(`Skip ${report.name}`).waitFor({ state: 'detached' });
    await panel.row(report.name).getByText('17 bytes').waitFor();
    expect(panel.errors).toEqual([]);
  });

  it('FRG-12: resumes an upload that was interrupted', async () => {
    const sent = await interceptContent((route, count) => (count === 1 ? route.abort() : route.continue()));
    const panel = await crm.open(context, newId('r_'));
    await panel.unlock(crm.vmk);
    await panel.add(video);
    await panel.button(`Download ${video.name}`).waitFor();
    await panel.row(video.name).getByText('2 MB').waitFor();
    expect(sent()).toBe(2);
  });

  it('FRG-15: gives up an upload, and its file is deleted', async () => {
    await interceptContent(() => undefined);
    const panel = await crm.open(context, newId('r_'));
    await panel.unlock(crm.vmk);
    await panel.add(video);
    const ended = context.waitForEvent('response', (each) => each.request().method() === 'DELETE');
    const deleted = panel.page.waitForResponse((each) => each.url().endsWith('/panel/delete-file'));
    await panel.button(`Cancel ${video.name}`).click();
    expect((await ended).status()).toBe(204);
    expect((await deleted).status()).toBe(200);
    await panel.row(video.name).waitFor({ state: 'detached' });
    await panel.frame.getByText('This record has no files yet.').waitFor();
    expect(panel.errors).toEqual([]);
  });

  it('FRG-15: gives up an upload that Forge is creating', async () => {
    let goOn = () => {};
    const isCancelled = new Promise<void>((resolve) => (goOn = resolve));
    await context.route(`${stack().forge_url}/**`, async (route) => {
      if (route.request().method() === 'POST') await isCancelled;
      await route.continue();
    });
    const panel = await crm.open(context, newId('r_'));
    await panel.unlock(crm.vmk);
    const isCreation = (each: Request) =>
      each.method() === 'POST' && each.url().startsWith(stack().forge_url);
    const creating = context.waitForEvent('request', isCreation);
    await panel.add(video);
    await creating;
    const ended = context.waitForEvent('response', (each) => each.request().method() === 'DELETE');
    await panel.button(`Cancel ${video.name}`).click();
    goOn();
    expect((await ended).status()).toBe(204);
    await panel.frame.getByText('This record has no files yet.').waitFor();
  });

  it('FRG-15: tells that the file of a cancelled upload is not deleted, and deletes it at the next try', async () => {
    await interceptContent(() => undefined);
    let isAnswered = false;
    await context.route('**/panel/delete-file', (route) => (isAnswered ? route.continue() : route.abort()));
    const panel = await crm.open(context, newId('r_'));
    await panel.unlock(crm.vmk);
    await panel.add(video);
    await panel.button(`Cancel ${video.name}`).click();
    await panel.frame.getByText('Cancelled, but its file is not deleted. There was no answer.').waitFor();
    isAnswered = true;
    await panel.button('Delete the file').click();
    await panel.frame.getByText('This record has no files yet.').waitFor();
  });

  it('tells that it has closed after 15 minutes', async () => {
    await context.clock.install();
    const panel = await crm.open(context, newId('r_'));
    await panel.frame.getByText('This record has no files yet.').waitFor();
    await context.clock.fastForward('15:01');
    await panel.frame.getByRole('alert').filter({ hasText: 'This panel has closed' }).waitFor();
    expect(await panel.button('Add files').count()).toBe(0);
  });
});

describe('OPEN-66: a panel in a sidebar and in a window, light and dark', () => {
  it('fits its frame, can be read, and axe finds nothing wrong', async () => {
    const crm = await LocalCrm.connect('crmb');
    const own = await openContext(browser, { reducedMotion: 'reduce' });
    const page = await own.newPage();
    const looks = new Looks('panels', { desktop: { width: 900, height: 800 } });
    await page.goto(await crm.panelUrl('00501'));
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    await page.getByText('This record has no files yet.').waitFor();
    await looks.check(page, 'empty');
    await button('Unlock').click();
    await looks.check(page, 'key');
    await page.getByLabel('Key of the vault').fill(crm.vmk);
    await button('Unlock').click();
    const files = [
      report,
      { ...report, name: 'A very long name of a contract, signed by both parties, final version (2).docx' },
    ];
    await page.getByLabel('Files to add').setInputFiles(files);
    for (const { name } of files) await button(`Download ${name}`).waitFor();
    await button(`Share ${report.name}`).click();
    await page.getByLabel(`Link to ${report.name}`).waitFor();
    await button(`Delete ${files[1]?.name}`).click();
    await looks.check(page, 'files');
    await own.close();
  });
});

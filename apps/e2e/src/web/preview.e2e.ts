import { describe, expect, it } from '@jest/globals';
import type { BrowserContext } from 'playwright-core';
import { Looks } from '../browser/looks.js';
import { stack } from '../stack.js';
import { useContext } from './use-context.js';
import { createVault, openVaults, unseal } from './vault-steps.js';
import { WebApp } from './web-app.js';

const { api_url } = stack();
const looks = new Looks('web-preview');

let context: BrowserContext;
useContext((own) => (context = own));

describe('the preview of a file in the web application', () => {
  it('WEB-11: shows hostile files as text in a frame that reaches nothing, pictures and PDF, and says what it cannot show', async () => {
    const app = await openVaults(context);
    const key = await createVault(app);
    await unseal(app, key);
    const script = 'parent.document.title="reached";document.title="ran"';
    await app.page
      .locator('input[type=file][multiple]')
      .setInputFiles([
        fileOf('page.html', `<!doctype html><script>${script}</script><h1>Hello</h1>`),
        fileOf('logo.svg', `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`),
        fileOf('dot.png', Buffer.from(PNG, 'base64')),
        fileOf('letter.pdf', pdfOf('Dear reader')),
        fileOf('broken.pdf', 'no document'),
        fileOf('tool.exe', 'MZ'),
      ]);
    await app.page.getByText('6 of 6 files stored').waitFor();

    const page = await preview(app, 'page.html');
    await page.getByText('<h1>Hello</h1>').waitFor();
    expect(await page.locator('h1, script:not([src])').count()).toBe(0);
    await looks.check(app.page, 'preview-text');
    const frame = app.page.frames().find((one) => one.url() === `${api_url}/web/preview.html`);
    const reached = await frame?.evaluate<Record<string, string>>(attempts);
    expect(reached).toEqual({
      origin: 'null',
      parent: 'SecurityError',
      cookie: 'SecurityError',
      storage: 'SecurityError',
      network: 'TypeError',
      markup: 'TypeError',
    });
    await page.locator('main').press('Escape');
    await app.page.getByRole('dialog').waitFor({ state: 'detached' });

    await (await preview(app, 'logo.svg')).getByText('<svg xmlns=', { exact: false }).waitFor();
    await app.press('Close');
    await (await preview(app, 'dot.png')).getByRole('img', { name: 'Content of dot.png' }).waitFor();
    await looks.check(app.page, 'preview-image');
    await app.press('Close');
    const letter = await preview(app, 'letter.pdf');
    await letter.getByRole('region', { name: 'Page 1 of 1' }).getByText('Dear reader').waitFor();
    await looks.check(app.page, 'preview-pdf');
    await app.press('Close');
    await preview(app, 'broken.pdf');
    await app.page.getByText('Your browser cannot show this file.', { exact: false }).waitFor();
    await looks.check(app.page, 'preview-failed');
    await app.press('Close');
    await app.button('tool.exe').click();
    await app.page.getByText('Files of this type are not shown here.', { exact: false }).waitFor();
    expect(await app.button('Preview').count()).toBe(0);
    await looks.check(app.page, 'preview-none');
    expect(await app.page.title()).toBe('Vault · vaultsvc');
    // The attempts of the test.
    expect(app.errors.filter((error) => !/connect|Content Security Policy|TrustedHTML/i.test(error))).toEqual(
      [],
    );
  });

  const fileOf = (name: string, content: string | Buffer) => ({
    name,
    mimeType: 'application/octet-stream',
    buffer: Buffer.from(content),
  });

  /** Attempts of a script in the frame, with the names of the errors. */
  const attempts = `(async () => {
    const nameOf = async (attempt) => { try { await attempt(); return 'none'; } catch (error) { return error.name; } };
    return {
      origin: window.origin,
      parent: await nameOf(() => parent.document),
      cookie: await nameOf(() => document.cookie),
      storage: await nameOf(() => sessionStorage),
      network: await nameOf(() => fetch('/v1/me')),
      markup: await nameOf(() => { document.body.innerHTML = '<b>x</b>'; }),
    };
  })()`;

  /** Opens the preview of a file; returns the frame. */
  async function preview(app: WebApp, name: string) {
    await app.button(name).click();
    await app.press('Preview');
    return app.page.frameLocator('iframe');
  }

  const PNG =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

  /** A document with one page. */
  function pdfOf(text: string): Buffer {
    const content = `BT /F1 24 Tf 40 120 Td (${text}) Tj ET`;
    const objects = [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ];
    let file = '%PDF-1.4\n';
    const starts = objects.map((object, index) => {
      const start = file.length;
      file += `${index + 1} 0 obj\n${object}\nendobj\n`;
      return start;
    });
    const table = starts.map((start) => `${String(start).padStart(10, '0')} 00000 n \n`).join('');
    const trailer = `trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
    return Buffer.from(`${file}xref\n0 6\n0000000000 65535 f \n${table}${trailer}`);
  }
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { eventually } from '@vaultsvc/testing/waiting';
import { closeContext, openContext } from '../browser/browser.js';
import { stack } from '../stack.js';
import {
  downloadOf,
  downloadUrl,
  file,
  endedLink,
  refusal,
  codeSent,
  states,
  text,
  verificationRequired,
} from './scripted-states.js';
import type { Script, Visitor } from './visitor.js';
import { useVisitor } from './use-visitor.js';

const origin = stack().link_url;
const url = `${origin}/any-code`;
let visitor: Visitor;

const browser = useVisitor((arrived) => (visitor = arrived));

const scriptOf = (name: string): Script => states.find((state) => state.name === name)?.script ?? {};
async function open(script: Script): Promise<void> {
  await visitor.script(script);
  await visitor.page.goto(url);
}
const paths = () => visitor.posts.map(({ path }) => path.slice('/any-code/'.length));
const bodies = () => visitor.posts.map(({ body }) => body);

describe('OPEN-23: the link page before its first call', () => {
  it('is rendered by one request of less than 26,000 bytes', async () => {
    const answer = await fetch(url);
    expect((await answer.arrayBuffer()).byteLength).toBeLessThan(26_000);
    await open({});
    await visitor.sees('Checking your link');
    await eventually(
      async () => visitor.requests.length,
      (count) => count > 1,
    );
    expect(visitor.requests).toEqual([`GET ${url}`, `POST ${url}/open`]);
  });

  it.each(['/', '.', ')', '%29', '.)', '%E3%80%82', ',/'])(
    'OPEN-22: opens the link of an address that ends in %s',
    async (end) => {
      await visitor.script(scriptOf('text'));
      await visitor.page.goto(`${url}${end}`);
      await visitor.showOnce();
      expect(paths()).toEqual(['open', 'open']);
    },
  );

  it('LNK-11: posts nothing while it is hidden', async () => {
    await visitor.page.addInitScript(`
      let seen = 'hidden';
      Object.defineProperty(document, 'visibilityState', { get: () => seen });
      window.look = () => { seen = 'visible'; document.dispatchEvent(new Event('visibilitychange')); };`);
    await open(scriptOf('text'));
    await visitor.page.waitForLoadState('networkidle');
    expect(paths()).toEqual([]);
    await visitor.page.evaluate('look()');
    await visitor.showOnce();
    expect(paths()).toEqual(['open', 'open']);
  });

  it('LNK-11: posts nothing while it is prerendered', async () => {
    await visitor.page.addInitScript(`
      let ahead = true;
      Object.defineProperty(document, 'prerendering', { get: () => ahead });
      window.activate = () => { ahead = false; document.dispatchEvent(new Event('prerenderingchange')); };`);
    await open(scriptOf('text'));
    await visitor.page.waitForLoadState('networkidle');
    expect(paths()).toEqual([]);
    await visitor.page.evaluate('activate()');
    await visitor.showOnce();
  });

  it('LNK-11: has no script when prefetched, and is loaded with its script by a click', async () => {
    await visitor.script(scriptOf('text'));
    const ahead = await fetch(url, { headers: { 'Sec-Purpose': 'prefetch' } });
    const body = await ahead.text();
    await visitor.context.route(
      url,
      (route) => route.fulfill({ headers: Object.fromEntries(ahead.headers), body }),
      {
        times: 1,
      },
    );
    await visitor.page.goto(url);
    await visitor.sees('Your link is ready');
    expect(paths()).toEqual([]);
    await visitor.page.getByRole('link', { name: 'Open the link' }).click();
    await visitor.showOnce();
  });

  it.each([stack().link_url, stack().files_url])(
    'MISC-02: is not at the root, %s/, whose page posts nothing',
    async (place) => {
      await visitor.page.goto(`${place}/`);
      await visitor.sees('Private links open here');
      await visitor.page.waitForLoadState('networkidle');
      expect(visitor.requests).toEqual([`GET ${place}/`]);
    },
  );

  it('LNK-11: explains what to do without JavaScript', async () => {
    const context = await openContext(browser(), { javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(url);
    await page.getByRole('heading', { name: 'This page needs JavaScript' }).waitFor();
    expect(await page.locator('noscript p').isVisible()).toBe(true);
    expect(await page.locator('#stage').isVisible()).toBe(false);
    await closeContext(context);
  });
});

describe('OPEN-23: content', () => {
  it('is shown unchanged, copied, and hidden', async () => {
    await open(scriptOf('text'));
    await visitor.showOnce();
    expect(await visitor.page.title()).toBe('This was shared with you · vaultsvc');
    expect(await visitor.focused()).toBe('This was shared with you');
    expect(await visitor.page.getByRole('region', { name: 'The text' }).textContent()).toBe(text);
    await visitor.button('Copy').click();
    await visitor.status().getByText('Copied.').waitFor();
    expect(await visitor.page.evaluate('navigator.clipboard.readText()')).toBe(text);
    await visitor.button('Hide').click();
    expect(await visitor.page.getByText('correct horse').isVisible()).toBe(false);
    await visitor.button('Show').click();
    expect(await visitor.page.getByText('correct horse').isVisible()).toBe(true);
    expect(bodies()).toEqual([{ describe: true }, { confirmed: true }]);
  });

  it('is never rendered as HTML', async () => {
    const payload = '<img src=x onerror="document.title=1"><script>document.title=2</script>';
    const body = { type: 'content', payload, content_type: 'text/html', filename: '<b>x</b>' };
    await open({ ...scriptOf('text'), open: [{ body }] });
    await visitor.showOnce();
    expect(await visitor.page.locator('pre').textContent()).toBe(payload);
    expect(await visitor.page.locator('main img, main b').count()).toBe(0);
  });

  it('SPK-02: of 256,000 characters is shown completely without blocking the page', async () => {
    const payload = 'ä1 '.repeat(85_333);
    const body = { type: 'content', payload, content_type: 'text/plain', filename: null };
    await open({ ...scriptOf('text'), open: [{ body }] });
    await visitor.showOnce();
    expect((await visitor.page.locator('pre').textContent())?.length).toBe(payload.length);
    // Normally a fraction of a second; the bound and the retries allow for busy machines.
    const layoutMs = (width: number) =>
      visitor.page.evaluate<number>(`(() => {
        const began = performance.now();
        document.querySelector('main').style.maxWidth = '${width}rem';
        document.querySelector('pre').offsetHeight;
        return performance.now() - began;
      })()`);
    let width = 30;
    await eventually(
      () => layoutMs((width += 1)),
      (ms) => ms < 5_000,
      60,
    );
  });

  it('SPK-06: that is binary is saved unchanged under its name', async () => {
    await open(scriptOf('binary'));
    await visitor.showOnce('A file was shared with you');
    const saved = visitor.page.waitForEvent('download');
    await visitor.button('Save the file').click();
    const download = await saved;
    expect(download.suggestedFilename()).toBe('key.bin');
    expect([...readFileSync(await download.path())]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('LNK-11: is opened by a press only, which is also the confirmation that the account may require', async () => {
    await open(scriptOf('text'));
    await visitor.sees('Your link is ready');
    await visitor.page.waitForLoadState('networkidle');
    expect(bodies()).toEqual([{ describe: true }]);
    expect(await visitor.focused()).toBe('Your link is ready');
    await visitor.page.keyboard.press('Tab');
    expect(await visitor.focused()).toBe('Show it once');
    await visitor.page.keyboard.press('Enter');
    await visitor.sees('This was shared with you');
    expect(await visitor.focused()).toBe('This was shared with you');
    expect(bodies()).toEqual([{ describe: true }, { confirmed: true }]);
  });

  it('reports that it is being opened, and opens once for a double press', async () => {
    const { describe: describes = [] } = scriptOf('text');
    await open({ describe: describes, open: [{ no: 'held' }] });
    const button = visitor.button('Show it once');
    const place = await button.boundingBox();
    await button.dblclick();
    await button.press('Enter');
    await visitor.status().getByText('Opening …').waitFor();
    expect(await visitor.focused()).toBe('Show it once');
    expect(await button.boundingBox()).toEqual(place);
    expect(await eventually(bodies, ({ length }) => length > 1)).toEqual([
      { describe: true },
      { confirmed: true },
    ]);
  });

  it('OPEN-23: names the organization that shared it, in one line of plain text', async () => {
    const { open: opened = [] } = scriptOf('text');
    const shared_by = '<b>Acme</b> \u202Eltd';
    await open({ describe: [{ body: { type: 'content', once: true, shared_by } }], open: opened });
    const name = visitor.page.getByText('Shared by <b>Acme</b> \uFFFDltd', { exact: true });
    await name.waitFor();
    await visitor.showOnce();
    expect(await name.isVisible()).toBe(true);
  });
});

describe('LNK-12 LNK-13 OPEN-23: a destination', () => {
  const redirect = (destination: string): Script => ({
    describe: [{ body: { type: 'redirect' } }],
    open: [{ body: { type: 'redirect', url: destination } }],
  });

  it('LNK-12: is named before the page leaves', async () => {
    // Without content the page remains; Playwright evaluates nothing while a navigation waits for its answer.
    await visitor.context.route('https://example.invalid/**', (route) => route.fulfill({ status: 204 }));
    await open(redirect('https://example.invalid/there?a=b'));
    await visitor.page.getByText('example.invalid', { exact: true }).waitFor();
  });

  it('LNK-12: is navigated to, without an entry of the page in the history', async () => {
    await visitor.context.route('https://example.invalid/**', (route) => route.fulfill({ body: 'arrived' }));
    await open(redirect('https://example.invalid/there?a=b'));
    await visitor.page.waitForURL('https://example.invalid/there?a=b');
    expect(await visitor.page.evaluate('document.referrer')).toBe('');
    await visitor.page.goBack();
    expect(visitor.page.url()).toBe('about:blank');
  });

  it('OPEN-23: is opened by one press if the account requires a confirmation', async () => {
    const [opened] = redirect('https://example.invalid/').open ?? [];
    await visitor.context.route('https://example.invalid/**', (route) => route.fulfill({ body: 'arrived' }));
    await open({ ...scriptOf('confirm'), open: [{ body: { type: 'confirm' } }, opened ?? {}] });
    await visitor.button('Open once').click();
    await visitor.page.waitForURL('https://example.invalid/');
    expect(bodies()).toEqual([{ describe: true }, { confirmed: false }, { confirmed: true }]);
  });

  it.each(['javascript:document.title=1', 'data:text/html,x', 'https://bank.example@example.invalid/'])(
    'is never %s',
    async (destination) => {
      await open(redirect(destination));
      await visitor.sees('This link leads nowhere');
      expect(await visitor.page.getByRole('link').count()).toBe(0);
    },
  );

  it('LNK-13: that is unsafe is shown without navigation; the visitor may close or continue', async () => {
    await open(scriptOf('warning-unchecked'));
    const link = visitor.page.getByRole('link', { name: 'Continue anyway' });
    expect(await link.getAttribute('href')).toBe('https://example.com/');
    expect(await link.getAttribute('rel')).toContain('noreferrer');
    expect(visitor.page.url()).toBe(url);
    await visitor.button('Close').click();
    await visitor.sees('You stayed here');
  });
});

describe('OPEN-22: the code of a durable share on the link origin', () => {
  const share = `${stack().files_url}/any-code`;
  const redirect: Script = { describe: [{ body: { type: 'redirect', url: share } }] };

  it('leads to the share at once: it is no destination that somebody chose, and nothing is opened', async () => {
    await visitor.context.route(share, (route) => route.fulfill({ body: 'arrived' }));
    await open(redirect);
    await visitor.page.waitForURL(share);
    expect(bodies()).toEqual([{ describe: true }]);
    await visitor.page.goBack();
    expect(visitor.page.url()).toBe('about:blank');
  });

  it('shows what it showed before until the share answers', async () => {
    await visitor.context.route(share, (route) => route.fulfill({ status: 204 }));
    await open(redirect);
    await eventually(
      async () => visitor.requests.includes(`GET ${share}`),
      (isAsked) => isAsked,
    );
    await visitor.sees('Checking your link');
    expect(bodies()).toEqual([{ describe: true }]);
  });
});

describe('OPEN-25: a link for certain people', () => {
  it('is opened by keyboard: address, wrong code, right code', async () => {
    const { keyboard } = visitor.page;
    await open({
      describe: [verificationRequired('email'), { body: { type: 'content', once: true } }],
      start: [{ body: codeSent }],
      confirm: [refusal(401), { body: { verification_token: 'proof', expires_at: 1 } }],
      open: scriptOf('text').open ?? [],
    });
    await visitor.sees('Confirm who you are');
    expect(await visitor.focused()).toBe('Confirm who you are');
    await keyboard.press('Tab');
    await keyboard.type(' ann@example.com ');
    await keyboard.press('Enter');
    await visitor.sees('Enter the code');
    expect(await visitor.focused()).toBe('code');
    await keyboard.type('111111');
    await keyboard.press('Enter');
    await visitor.page.getByRole('alert').getByText('This code is wrong').waitFor();
    // The wrong code is selected, so that typing replaces it.
    await keyboard.type('222 222');
    await keyboard.press('Enter');
    await visitor.showOnce();
    expect(bodies()).toEqual([
      { describe: true },
      { identity: 'ann@example.com' },
      { identity: 'ann@example.com', code: '111111' },
      { identity: 'ann@example.com', code: '222222' },
      { describe: true, verification_token: 'proof' },
      { confirmed: true, verification_token: 'proof' },
    ]);
    expect(await visitor.page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')).toBe(
      '[{},{}]',
    );
  });

  it('offers another code after half a minute, and another number', async () => {
    await visitor.stopClock();
    await open({ describe: [verificationRequired('sms')], start: [{ body: codeSent }] });
    await visitor.page.getByLabel('Phone number').fill('+43 660 123 4567');
    await visitor.button('Send the code').click();
    await visitor.sees('Enter the code');
    // Playwright's click would wait until the button is enabled.
    await visitor.button(/Send again/).click({ force: true });
    expect(paths()).toEqual(['open', 'verify/start']);
    await visitor.page.clock.runFor(31_000);
    await visitor.button('Send again').click();
    await visitor.status().getByText('Another code is on its way').waitFor();
    await visitor.button('Use another number').click();
    expect(await visitor.page.getByLabel('Phone number').inputValue()).toBe('+436601234567');
    expect(paths()).toEqual(['open', 'verify/start', 'verify/start']);
  });

  it('reports when no more codes are sent for a while', async () => {
    const end = Math.floor(Date.now() / 1_000) + 1_790;
    await open({ describe: [verificationRequired('email')], start: [refusal(429, { resets_at: end })] });
    await visitor.page.getByLabel('E-mail address').fill('ann@example.com');
    await visitor.button('Send the code').click();
    await visitor.page.getByRole('alert').getByText('Try again in 30 minutes.').waitFor();
  });

  it('asks for a new verification when the old one has expired', async () => {
    await open({
      describe: [{ body: { type: 'content', once: true } }],
      open: [verificationRequired('email')],
    });
    await visitor.button('Show it once').click();
    await visitor.sees('Confirm who you are');
  });
});

describe('OPEN-22: a file', () => {
  beforeEach(() =>
    visitor.context.route(downloadUrl, (route) =>
      route.fulfill({ body: 'bytes', headers: { 'Content-Disposition': 'attachment; filename=r.pdf' } }),
    ),
  );
  const progress = (status: string, bytes_downloaded = 0) => ({
    body: { progress: { status, bytes_downloaded } },
  });

  it('SHR-13: is described first and opened by a click; the page remains and shows the progress', async () => {
    await open({
      ...file('r.pdf', 2_000_000),
      open: [downloadOf(2_000_000)],
      progress: [progress('pending'), progress('active', 1_000_000)],
    });
    await visitor.sees('A file was shared with you');
    expect(bodies()).toEqual([{ describe: true }]);
    await visitor.page.getByText('You can download it once').waitFor();
    const download = visitor.page.waitForEvent('download');
    await visitor.button('Download').click();
    await visitor.page.getByText('This link is used up now.').waitFor();
    expect((await download).suggestedFilename()).toBe('r.pdf');
    await visitor.page.getByText('1 MB of 2 MB').waitFor();
    await visitor.script({ progress: [progress('complete')] });
    await visitor.sees('The file is complete');
    expect(bodies()).toEqual([{ describe: true }, { confirmed: true }]);
    expect(await visitor.button('Download again').count()).toBe(0);
  });

  it('SHR-07: of a durable share can be downloaded again', async () => {
    await open({
      ...file('r.pdf', 5, false),
      open: [downloadOf(5)],
      progress: [progress('failed'), progress('complete')],
    });
    await visitor.page.getByText('as often as you like').waitFor();
    await visitor.button('Download').click();
    await visitor.sees('The download stopped early');
    await visitor.button('Download again').click();
    await visitor.sees('The file is complete');
    expect(bodies().filter(({ confirmed }) => confirmed)).toHaveLength(2);
  });

  it('is reported as opened if another visitor opened it before the click', async () => {
    await open({ ...file('r.pdf'), open: [endedLink('consumed')] });
    await visitor.button('Download').click();
    await visitor.sees('This link has been opened');
  });
});

describe('OPEN-23: a failure', () => {
  it('before the opening is reported as such, and can be retried', async () => {
    await open({
      ...scriptOf('text'),
      describe: [{ no: 'cut' }, refusal(500), { body: { type: 'content', once: true } }],
    });
    await visitor.page.getByText('Nothing was opened').waitFor();
    await visitor.button('Try again').click();
    await visitor.page.getByText('Something went wrong on our side. Nothing was opened').waitFor();
    await visitor.button('Try again').click();
    await visitor.showOnce();
  });

  it.each([200, 403, 404])(
    'of a proxy that answers %i with HTML is told from one of ours',
    async (status) => {
      const blocked = { status, html: '<h1>Blocked by your administrator</h1>' };
      await open({ ...scriptOf('text'), describe: [blocked, { body: { type: 'content', once: true } }] });
      await visitor.page.getByText('Something between you and us refused it').waitFor();
      await visitor.page.getByText('Nothing was opened').waitFor();
      await visitor.button('Try again').click();
      await visitor.showOnce();
    },
  );

  it('of a proxy at the opening itself is reported as possibly opened', async () => {
    await open({
      describe: [{ body: { type: 'content', once: true } }, endedLink('consumed')],
      open: [{ status: 403, html: '<h1>Blocked</h1>' }],
    });
    await visitor.button('Show it once').click();
    await visitor.page.getByText('We cannot say whether it opened the link').waitFor();
    expect(await visitor.page.getByText('Something between you and us').count()).toBe(1);
  });

  it('of the rate limiter for a second is retried without a message', async () => {
    const busy = refusal(429, {}, { 'Retry-After': '1' });
    const { describe: [described] = [], open: [opened] = [] } = scriptOf('text');
    await open({ describe: [busy, described ?? {}], open: [busy, busy, opened ?? {}] });
    await visitor.showOnce();
    expect(paths()).toEqual(['open', 'open', 'open', 'open', 'open']);
  });

  it.each([
    ['cut off', { no: 'cut' as const }],
    ['answered with 500', refusal(500)],
  ])('of the opening itself, %s, is reported as possibly opened', async (_, failure) => {
    await open({
      describe: [{ body: { type: 'content', once: true } }, endedLink('consumed')],
      open: [failure],
    });
    await visitor.button('Show it once').click();
    await visitor.page.getByText('We cannot say whether it opened the link').waitFor();
    expect(await visitor.page.getByText('Nothing was opened').count()).toBe(0);
    await visitor.button('Try again').click();
    await visitor.sees('This link has been opened');
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createSpark, deleteLink, readLink, shareSpark } from '@vaultsvc/contracts/sparks';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../browser/browser.js';
import { mailsTo } from '../inbox.js';
import { newEmail } from '../people.js';
import { stack } from '../stack.js';
import { Visitor } from './visitor.js';

const { api_url, mail_url, account } = stack();
const sender = api(api_url, { key: account.api_key });
let browser: Browser;
let visitor: Visitor;

beforeAll(async () => {
  browser = await launchBrowser();
});
beforeEach(async () => {
  visitor = await Visitor.arrive(browser);
});
afterEach(async () => {
  expect(visitor.errors).toEqual([]);
  await visitor.leave();
});
afterAll(() => browser.close());

const bodyOf = (body: Partial<InstanceType<typeof createSpark.body>>) =>
  body as InstanceType<typeof createSpark.body>;

async function shared(payload: string, sharing: Partial<InstanceType<typeof shareSpark.body>> = {}) {
  const { spark_id } = succeeded(await sender.call(createSpark, { body: bodyOf({ payload }) }));
  const body = { visibility: 'public' as const, invites: [], ...sharing };
  return succeeded(await sender.call(shareSpark, { params: { spark_id }, body }));
}

const statusOf = async (link_code: string) =>
  succeeded(await sender.call(readLink, { params: { link_code } })).status;

describe('A visitor with the link of a Spark', () => {
  it('LNK-11 LNK-12 LNK-14 OPEN-23: reads it once; the next one learns that it was opened', async () => {
    const { share_url, link_code } = await shared('the real thing');
    expect(await statusOf(link_code)).toBe('active');
    await visitor.page.goto(share_url);
    await visitor.sees('This was shared with you');
    expect(await visitor.page.locator('pre').textContent()).toBe('the real thing');
    expect(await statusOf(link_code)).toBe('consumed');
    await visitor.page.reload();
    await visitor.sees('This link has been opened');
  });

  it('LNK-15: learns that it was withdrawn, or that nobody knows it', async () => {
    const { share_url, link_code } = await shared('withdrawn');
    succeeded(await sender.call(deleteLink, { params: { link_code } }));
    await visitor.page.goto(share_url);
    await visitor.sees('This link was withdrawn');
    await visitor.page.goto(`${share_url.slice(0, -4)}AAAA`);
    await visitor.sees('This link leads nowhere');
  });

  it('LNK-17 LNK-18 OPEN-25: opens it with the code from the mail when it is for their address alone', async () => {
    const address = newEmail();
    const { share_url, link_code } = await shared('for one', {
      visibility: 'invite_only',
      invites: [address],
    });
    await visitor.page.goto(share_url);
    await visitor.page.getByLabel('E-mail address').fill(address);
    await visitor.button('Send the code').click();
    await visitor.sees('Type the code');
    await visitor.page.getByLabel('Code').fill(await codeFor(address));
    await visitor.button('Continue').click();
    await visitor.sees('This was shared with you');
    const link = succeeded(await sender.call(readLink, { params: { link_code } }));
    expect(link).toMatchObject({ status: 'consumed', verified_by: address });
  });

  it('LNK-12 LNK-16: is taken to the address of a link Spark', async () => {
    const payload = 'https://example.com/there?a=b';
    await visitor.context.route('https://example.com/**', (route) => route.fulfill({ body: 'arrived' }));
    const body = bodyOf({ payload, content_type: 'text/uri-list' });
    const { link_url, link_code } = succeeded(await sender.call(createSpark, { body }));
    await visitor.page.goto(link_url ?? '');
    await visitor.page.waitForURL(payload);
    expect(await statusOf(link_code ?? '')).toBe('consumed');
  });

  it('LNK-13 OPEN-26: is warned of a destination in a private network', async () => {
    const payload = 'http://10.0.0.1/router';
    const body = bodyOf({ payload, content_type: 'text/uri-list' });
    const { link_url } = succeeded(await sender.call(createSpark, { body }));
    await visitor.page.goto(link_url ?? '');
    await visitor.sees('Think before you go on');
    await visitor.page.getByText('It leads to a device in a private network').waitFor();
    expect(visitor.page.url()).toBe(link_url);
  });
});

/** The newest code in the inbox. */
async function codeFor(address: string): Promise<string> {
  const codes = async () =>
    (await mailsTo(mail_url, address)).map(({ text }) => /\b(\d{6})\b/.exec(text)?.[1]).filter(Boolean);
  const found = await eventually(codes, ({ length }) => length > 0);
  return found.at(-1) ?? '';
}

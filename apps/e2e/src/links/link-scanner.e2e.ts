import { describe, expect, it } from '@jest/globals';
import { updateSettings } from '@vaultsvc/contracts/auth';
import { createSpark, readLink, shareSpark } from '@vaultsvc/contracts/sparks';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { signUpOrganization } from '../sign-in.js';
import { useVisitor } from './use-visitor.js';
import { Visitor } from './visitor.js';

let visitor: Visitor;
const browser = useVisitor((arrived) => (visitor = arrived));

/** The public link of a new Spark, and its status. */
async function sharedText(payload: string, client: Api) {
  const body = { payload } as InstanceType<typeof createSpark.body>;
  const { spark_id } = succeeded(await client.call(createSpark, { body }));
  const sharing = { params: { spark_id }, body: { visibility: 'public' as const, invites: [] } };
  const { share_url, link_code } = succeeded(await client.call(shareSpark, sharing));
  const status = async () => succeeded(await client.call(readLink, { params: { link_code } })).status;
  return { share_url, status };
}

/** Visits the link as a mail scanner: runs the scripts in a visible window, waits until the page is idle, and leaves. */
async function scan(url: string): Promise<void> {
  const scanner = await Visitor.open(browser());
  await scanner.page.goto(url);
  await scanner.sees('Your link is ready');
  await scanner.page.waitForLoadState('networkidle');
  expect(scanner.posts.map(({ body }) => body)).toEqual([{ describe: true }]);
  await scanner.close();
}

describe('The link of a text', () => {
  it('LNK-11 LNK-14 OPEN-23: is still active after a scanner has run the scripts of its page, and opens for a person', async () => {
    const { client } = await signUpOrganization('Scanned');
    const { share_url, status } = await sharedText('for a person', client);
    await scan(share_url);
    await scan(share_url);
    expect(await status()).toBe('active');
    await visitor.page.goto(share_url);
    await visitor.showOnce();
    expect(await visitor.page.locator('pre').textContent()).toBe('for a person');
    expect(await status()).toBe('consumed');
  });

  it('LNK-14: is shown to one of two visitors who press at once', async () => {
    const { client } = await signUpOrganization('Pressed twice');
    const { share_url } = await sharedText('for one', client);
    const other = await Visitor.open(browser());
    const both = [visitor, other];
    await Promise.all(both.map(({ page }) => page.goto(share_url)));
    await Promise.all(both.map((each) => each.button('Show it once').click()));
    const outcomes = await Promise.all(both.map(outcomeOf));
    expect(outcomes.toSorted()).toEqual(['This link has been opened', 'This was shared with you']);
    expect(await visitor.page.locator('pre').count()).not.toBe(await other.page.locator('pre').count());
    await other.close();
  });

  it('OPEN-23: names the organization that shared it only if its account allows that', async () => {
    const { client } = await signUpOrganization('Acme Ltd.');
    const { share_url } = await sharedText('from Acme', client);
    await visitor.page.goto(share_url);
    await visitor.sees('Your link is ready');
    expect(await visitor.page.getByText('Acme').count()).toBe(0);
    succeeded(await client.call(updateSettings, { body: { settings: { links_show_organization: true } } }));
    await visitor.page.reload();
    await visitor.page.getByText('Shared by Acme Ltd.', { exact: true }).waitFor();
    await visitor.showOnce();
    await visitor.page.getByText('Shared by Acme Ltd.', { exact: true }).waitFor();
  });
});

/** The final heading. A visitor whose request arrives during the other's opening tries again, and presses again if asked to. */
async function outcomeOf(each: Visitor): Promise<string> {
  const final = each.page.getByRole('heading', { name: /^This (was shared with you|link has been opened)$/ });
  const next = each.button(/^(Try again|Show it once)$/).and(each.page.locator(':not([aria-disabled=true])'));
  for (;;) {
    await final.or(next).waitFor();
    if (await final.isVisible()) return (await final.textContent()) ?? '';
    await next.click();
  }
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { deleteLink, type LinkContent } from '@vaultsvc/contracts/sparks';
import { succeeded } from '@vaultsvc/testing/http';
import { mailsTo } from '../inbox.js';
import { newEmail } from '../sign-in.js';
import { stack } from '../stack.js';
import { FileSender } from './file-sender.js';
import { mailedCode } from './received-codes.js';
import { Visitor } from './visitor.js';
import { useVisitor } from './use-visitor.js';

const { link_url, files_url, forge_url, mail_url } = stack();
const NAME = 'Quarterly report.pdf';
const content = randomBytes(3_000_001);
let sender: FileSender;
let visitor: Visitor;

beforeAll(async () => {
  sender = await FileSender.create(NAME, content);
});
const browser = useVisitor((arrived) => (visitor = arrived));

/** Clicks the button and compares the download with the upload. */
async function downloads(button: 'Download' | 'Download again'): Promise<void> {
  const [download] = await Promise.all([
    visitor.page.waitForEvent('download'),
    visitor.button(new RegExp(`^${button}$`)).click(),
  ]);
  expect(download.suggestedFilename()).toBe(NAME);
  expect(readFileSync(await download.path()).equals(content)).toBe(true);
  await visitor.sees('The file is complete');
}

const isOffered = async (url: string) => {
  await visitor.page.goto(url);
  await visitor.sees('A file was shared with you');
};

describe('OPEN-22: a visitor with a one-time link to a file', () => {
  it('SHR-13 LNK-11 LNK-14 FRG-22: sees name and size and downloads it, which consumes the link', async () => {
    const { link_url: url, link_code } = await sender.oneTimeLink();
    expect(new URL(url).origin).toBe(link_url);
    await isOffered(url);
    await visitor.page.getByText(NAME).waitFor();
    await visitor.page.getByText('3 MB').waitFor();
    expect((await sender.read(link_code)).status).toBe('active');
    const ended = visitor.page.waitForResponse(
      async (answer) =>
        answer.url().startsWith(`${forge_url}/progress`) &&
        answer.status() === 200 &&
        (await answer.text()).includes('"complete"'),
    );
    await downloads('Download');
    expect(await (await ended).json()).toMatchObject({
      progress: { status: 'complete', bytes_downloaded: content.length },
    });
    await visitor.page.getByText('This link is used up now.').waitFor();
    expect((await sender.read(link_code)).status).toBe('consumed');
    await visitor.page.reload();
    await visitor.sees('This link has been opened');
  });

  it('SHR-13 LNK-14: receives nothing but an explanation after another visitor consumed it', async () => {
    const { link_url: url } = await sender.oneTimeLink();
    await isOffered(url);
    const other = await Visitor.open(browser());
    await other.page.goto(url);
    await other.sees('A file was shared with you');
    await downloads('Download');
    await other.button('Download').click();
    await other.sees('This link has been opened');
    await other.close();
  });

  it('LNK-15: receives nothing when it is withdrawn while the page is open', async () => {
    const { link_url: url, link_code } = await sender.oneTimeLink();
    await isOffered(url);
    succeeded(await sender.client.call(deleteLink, { params: { link_code } }));
    await visitor.button('Download').click();
    await visitor.sees('This link was withdrawn');
  });
});

describe('OPEN-22: a program with a one-time link to a file', () => {
  it('SHR-13: continues a broken download with `resume`, although the link is consumed', async () => {
    const { link_url: url, link_code } = await sender.oneTimeLink();
    const opened = await opening(url, { resume: true });
    expect(opened).toMatchObject({ status: 200, body: { type: 'file', size_bytes: content.length } });
    const { download_url, expires_at } = opened.body;
    expect(Math.abs((expires_at as number) - Date.now() / 1_000 - 43_200)).toBeLessThan(60);
    const first = await brokenDownload(download_url as string, 1_000_000);
    expect((await sender.read(link_code)).status).toBe('consumed');
    expect((await opening(url, { resume: true })).status).toBe(403);
    const rest = await fetch(download_url as string, { headers: { Range: `bytes=${first.length}-` } });
    expect(rest.status).toBe(206);
    const whole = Buffer.concat([first, Buffer.from(await rest.arrayBuffer())]);
    expect(whole.equals(content)).toBe(true);
    expect(opened.body.content_hash).toBe(createHash('sha256').update(whole).digest('hex'));
    succeeded(await sender.client.call(deleteLink, { params: { link_code } }));
    expect((await fetch(download_url as string)).status).toBe(401);
  });

  it('SHR-13: cannot continue without `resume`', async () => {
    const { link_url: url } = await sender.oneTimeLink();
    const { download_url, ...file } = (await opening(url, {})).body;
    expect(Object.keys(file).toSorted()).toEqual([
      'content_type',
      'modified_at',
      'name',
      'size_bytes',
      'type',
    ]);
    await brokenDownload(download_url as string, 1_000_000);
    expect((await fetch(download_url as string)).status).toBe(401);
  });
});

/** Opens a link without a browser. */
async function opening(url: string, body: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${url}/open`, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: answer.status, body: (await answer.json()) as LinkContent };
}

/** Reads some bytes and closes the connection. Returns all that have arrived. */
async function brokenDownload(url: string, bytes: number): Promise<Buffer> {
  const { body } = await fetch(url);
  const parts: Uint8Array[] = [];
  let arrived = 0;
  // Leaving the loop cancels the body.
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    parts.push(part);
    if ((arrived += part.length) >= bytes) break;
  }
  return Buffer.concat(parts);
}

describe('OPEN-20 OPEN-22: a visitor with the durable link of a file', () => {
  it('SHR-01 SHR-06 SHR-07: downloads it repeatedly, even while the vault is sealed, unless sharing is paused or ended', async () => {
    const { public_url } = await sender.share({ shared: true, visibility: 'public' });
    expect(new URL(public_url ?? '').origin).toBe(files_url);
    await isOffered(public_url ?? '');
    await downloads('Download');
    await sender.whileSealed(() => downloads('Download again'));
    await sender.allowSharing(false);
    await visitor.page.reload();
    await visitor.sees('This link is paused');
    await sender.allowSharing(true);
    await isOffered(public_url ?? '');
    await sender.share({ shared: false });
    await visitor.page.reload();
    await visitor.sees('This link was withdrawn');
  });

  it('OPEN-22: is led to it from the link origin, where its code opens nothing', async () => {
    const { public_url, link_code } = await sender.share({ shared: true, visibility: 'public' });
    await visitor.page.goto(`${link_url}/${link_code}`);
    await visitor.page.waitForURL(public_url ?? '');
    await visitor.sees('A file was shared with you');
    await downloads('Download');
    await sender.share({ shared: false });
    await visitor.page.goto(`${link_url}/${link_code}`);
    await visitor.sees('This link was withdrawn');
    expect(visitor.page.url()).toBe(public_url);
  });

  it('OPEN-22: is not led from the origin of files to a one-time link', async () => {
    const { link_code } = await sender.oneTimeLink();
    await visitor.page.goto(`${files_url}/${link_code}`);
    await visitor.sees('This link leads nowhere');
    expect((await sender.read(link_code)).status).toBe('active');
  });

  it('SHR-07 LNK-17 LNK-18 OPEN-25: opens it with the code from the mail when it is only for invited people', async () => {
    const [address, outsider] = [newEmail(), newEmail()];
    const share = { shared: true, visibility: 'invite_only' as const, invites: [address] };
    const { public_url, link_code } = await sender.share(share);
    await visitor.page.goto(public_url ?? '');
    await asksCodeFor(outsider);
    await visitor.button('Use another address').click();
    await asksCodeFor(address);
    await visitor.page.getByLabel('Code').fill(await mailedCode(address));
    await visitor.button('Continue').click();
    await visitor.sees('A file was shared with you');
    await downloads('Download');
    expect(await mailsTo(mail_url, outsider)).toEqual([]);
    expect(await sender.read(link_code ?? '')).toMatchObject({ status: 'active', verified_by: address });
  });
});

async function asksCodeFor(address: string): Promise<void> {
  await visitor.page.getByLabel('E-mail address').fill(address);
  await visitor.button('Send the code').click();
  await visitor.sees('Enter the code');
}

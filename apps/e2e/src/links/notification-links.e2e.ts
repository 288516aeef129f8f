import { beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readSpark } from '@vaultsvc/contracts/sparks';
import { succeeded, type Api } from '@vaultsvc/testing/http';
import { newEmail, signUpOrganization } from '../sign-in.js';
import { FileSender } from './file-sender.js';
import { sendInApp } from './notification-sender.js';
import { mailedCode } from './received-codes.js';
import { useVisitor } from './use-visitor.js';
import { VirtualAuthenticator } from './virtual-authenticator.js';
import { Visitor } from './visitor.js';

let client: Api;
let visitor: Visitor;

beforeAll(async () => {
  ({ client } = await signUpOrganization('Journey of notifications'));
});
const browser = useVisitor((arrived) => (visitor = arrived));

/** Requests a code for the address and enters it. */
async function provesAddress(person: Visitor, address: string): Promise<void> {
  await person.page.getByLabel('E-mail address').fill(address);
  await person.button('Send the code').click();
  await person.sees('Enter the code');
  await person.page.getByLabel('Code').fill(await mailedCode(address));
  await person.button('Continue').click();
}

/** The receipt that the page shows. */
const shownReceipt = () => visitor.page.getByRole('region', { name: 'The receipt' }).textContent();

describe('NTF-08 NTF-46: a recipient whose link asks for a passkey', () => {
  it('enrolls one after a code, signs, and keeps the receipt; later links open without a code', async () => {
    const address = newEmail();
    const policy = { verification_level: 'passkey', interaction: 'sign' } as const;
    const sends = [
      await sendInApp(client, policy, { recipients: [address] }),
      await sendInApp(client, policy, { recipients: [address] }),
    ] as const;
    const device = await VirtualAuthenticator.add(visitor);

    await visitor.page.goto(sends[0].urls[0] ?? '');
    await visitor.sees('Confirm who you are');
    await visitor.button('I have no passkey yet').click();
    await provesAddress(visitor, address);
    await visitor.sees('Create your passkey');
    await visitor.button('Continue').click();
    await visitor.showOnce();
    expect(await device.countPasskeys()).toBe(1);
    await visitor.page.getByText('Your signature is bound to this content: SHA-256').waitFor();
    await visitor.button('Sign').click();
    await visitor.sees('You have signed this.');
    expect(await visitor.focused()).toBe('You have signed this.');
    const [download] = await Promise.all([
      visitor.page.waitForEvent('download'),
      visitor.button('Save the receipt').click(),
    ]);
    expect(download.suggestedFilename()).toBe('receipt.jws');
    const jws = readFileSync(await download.path(), 'utf8');
    expect(await shownReceipt()).toBe(jws);
    expect(await sends[0].receipts()).toContainEqual(
      expect.objectContaining({ action: 'sign', verification_level: 'passkey', jws }),
    );

    await visitor.page.goto(sends[1].urls[0] ?? '');
    await visitor.button('Use my passkey').click();
    await visitor.showOnce();
    await visitor.button('Decline').click();
    await visitor.sees('You have declined to sign this.');
  });

  it('reads why a passkey was not used or not accepted, and tries again', async () => {
    const address = newEmail();
    const policy = { verification_level: 'passkey' } as const;
    const { urls } = await sendInApp(client, policy, { recipients: [address] });
    const device = await VirtualAuthenticator.add(visitor);
    await visitor.page.goto(urls[0] ?? '');
    const alert = visitor.page.getByRole('alert');
    await visitor.button('Use my passkey').click();
    await alert.getByText('Your browser has not used a passkey.').waitFor();
    await visitor.button('I have no passkey yet').click();
    await provesAddress(visitor, address);
    await device.recognizesUser(false);
    await visitor.button('Continue').click();
    await alert.getByText('Your browser has not used a passkey.').waitFor();
    await device.recognizesUser(true);
    await visitor.button('Continue').click();
    await visitor.showOnce();

    // The passkey of one person is refused for another.
    const other = await sendInApp(client, policy);
    await visitor.page.goto(other.urls[0] ?? '');
    await visitor.button('Use my passkey').click();
    await alert.getByText('This passkey was not accepted.').waitFor();
  });
});

describe('NTF-46: a recipient whose link asks for an answer', () => {
  it.each([
    ['approve', 'Approve', 'You have approved this.'],
    ['deny', 'Deny', 'You have denied this.'],
  ])('NTF-08: can %s without a verification, and copies the receipt', async (action, button, done) => {
    const sent = await sendInApp(client, { verification_level: 'none', interaction: 'approve' });
    await visitor.page.goto(sent.urls[0] ?? '');
    await visitor.showOnce();
    await visitor.button(button).click();
    await visitor.sees(done);
    await visitor.button('Copy the receipt').click();
    await visitor.status().getByText('Copied.').waitFor();
    const jws = await visitor.page.evaluate('navigator.clipboard.readText()');
    expect(await sent.receipts()).toContainEqual(expect.objectContaining({ action, jws }));
  });

  it('replies, and the sender reads the text', async () => {
    const sent = await sendInApp(client, { interaction: 'reply' });
    await visitor.page.goto(sent.urls[0] ?? '');
    await visitor.showOnce();
    await visitor.button('Send the reply').click();
    await visitor.page.getByRole('alert').getByText('Please write a reply.').waitFor();
    await visitor.page.getByLabel('Your reply').fill('Thank you,\nAnn');
    await visitor.button('Send the reply').click();
    await visitor.sees('Your reply has been sent.');
    const reply = (await sent.receipts()).find(({ action }) => action === 'reply');
    const params = { spark_id: reply?.reply_spark_id ?? '' };
    expect(succeeded(await client.call(readSpark, { params }))).toMatchObject({
      payload: 'Thank you,\nAnn',
    });
  });

  it('is not asked when only a view is requested', async () => {
    const sent = await sendInApp(client, { interaction: 'view' });
    await visitor.page.goto(sent.urls[0] ?? '');
    await visitor.showOnce();
    expect(await visitor.page.getByRole('region', { name: 'Your answer' }).count()).toBe(0);
  });

  it('acknowledges a file once its download was started', async () => {
    const sender = await FileSender.create('Contract.pdf', randomBytes(1_000));
    const sent = await sendInApp(
      sender.client,
      { interaction: 'acknowledge' },
      { ingot: sender.params },
      sender.headers,
    );
    await visitor.page.goto(sent.urls[0] ?? '');
    await visitor.sees('A file was shared with you');
    expect(await visitor.button('Acknowledge').count()).toBe(0);
    await Promise.all([visitor.page.waitForEvent('download'), visitor.button('Download').click()]);
    await visitor.sees('The file is complete');
    await visitor.button('Acknowledge').click();
    await visitor.sees('You have acknowledged this.');
    const jws = await shownReceipt();
    expect(await sent.receipts()).toContainEqual(expect.objectContaining({ action: 'acknowledge', jws }));
  });
});

describe('NTF-08 OPEN-64: two recipients under dual control', () => {
  it('both read the content once both have verified; the first one waits', async () => {
    const recipients = [newEmail(), newEmail()] as [string, string];
    const { urls } = await sendInApp(client, { verification_level: 'dual_control' }, { recipients });
    const second = await Visitor.open(browser());
    await visitor.page.goto(urls[0] ?? '');
    await provesAddress(visitor, recipients[0]);
    await visitor.sees('You are verified');
    await second.page.goto(urls[1] ?? '');
    await provesAddress(second, recipients[1]);
    await second.showOnce();
    await visitor.showOnce();
    expect(second.errors).toEqual([]);
    await second.close();
  });
});

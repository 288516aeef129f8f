import { beforeEach, describe, expect, it } from '@jest/globals';
import { stack } from '../stack.js';
import {
  asking,
  codeSent,
  downloadOf,
  downloadUrl,
  endedLink,
  file,
  passkeyRequired,
  receiptOf,
  refusal,
  secondPersonRequired,
} from './scripted-states.js';
import { useVisitor } from './use-visitor.js';
import type { Script, Visitor } from './visitor.js';

let visitor: Visitor;
useVisitor((arrived) => (visitor = arrived));

async function open(script: Script): Promise<void> {
  await visitor.script(script);
  await visitor.page.goto(`${stack().link_url}/any-code`);
}
const alert = (text: string) => visitor.page.getByRole('alert').getByText(text).waitFor();
const opened = { body: { type: 'content', once: true } };
const interactions = () =>
  visitor.posts.filter(({ path }) => path.endsWith('/interact')).map(({ body }) => body);

describe('NTF-08: the link page while a second person is missing', () => {
  beforeEach(() => visitor.stopClock());

  it('retries at a click, reports the result, and keeps the focus', async () => {
    const describe = [secondPersonRequired, secondPersonRequired, opened];
    await open({ describe, open: asking().open ?? [] });
    await visitor.sees('You are verified');
    await visitor.button('Try now').click();
    await visitor.status().getByText('Nobody else has verified yet.').waitFor();
    expect(await visitor.focused()).toBe('Try now');
    await visitor.button('Try now').click();
    await visitor.showOnce();
  });

  it('retries after 5 seconds', async () => {
    await open({ describe: [secondPersonRequired, opened], open: asking().open ?? [] });
    await visitor.sees('You are verified');
    await visitor.page.clock.runFor(4_000);
    expect(visitor.posts).toHaveLength(1);
    await visitor.page.clock.runFor(1_000);
    await visitor.showOnce();
  });

  it('asks for a new verification when the old one has expired', async () => {
    await open({ describe: [secondPersonRequired, refusal(401, { verification: { methods: ['email'] } })] });
    await visitor.button('Try now').click();
    await visitor.sees('Confirm who you are');
  });

  it('LNK-14: does not wait for a visitor who opens the link at the same moment', async () => {
    await open({ describe: [opened], open: [refusal(409)] });
    await visitor.button('Show it once').click();
    await visitor.sees('Somebody is opening this link');
  });
});

describe('NTF-08: the link page, asking for a passkey,', () => {
  it('explains that the browser is too old', async () => {
    await visitor.page.addInitScript('delete window.PublicKeyCredential');
    await open({ describe: [passkeyRequired] });
    await alert('This browser cannot use passkeys.');
    expect(await visitor.button('Use my passkey').getAttribute('aria-disabled')).toBe('true');
  });

  it('explains that the code has expired, and starts again', async () => {
    await open({
      describe: [passkeyRequired],
      start: [{ body: codeSent }],
      confirm: [{ body: { verification_token: 'proof', expires_at: 1 } }],
      passkey: [passkeyRequired],
    });
    await visitor.button('I have no passkey yet').click();
    await visitor.page.getByLabel('E-mail address').fill('ann@example.com');
    await visitor.button('Send the code').click();
    await visitor.page.getByLabel('Code').fill('123456');
    await visitor.button('Continue').click();
    await visitor.sees('Create your passkey');
    await visitor.button('Continue').click();
    await alert('The code is no longer valid.');
    expect(visitor.posts.at(-1)?.body).toEqual({ verification_token: 'proof' });
    await visitor.button('Start again').click();
    await visitor.sees('Confirm who you are');
  });

  it('LNK-15: reports that the link was withdrawn meanwhile', async () => {
    await open({ describe: [passkeyRequired], passkey: [endedLink('revoked')] });
    await visitor.button('Use my passkey').click();
    await visitor.sees('This link was withdrawn');
  });
});

describe('NTF-46: the link page, asking for an answer,', () => {
  it('NTF-10: sends it with the token and the hash, and again after a failure', async () => {
    await open({ ...asking('sign', 'deny'), interact: [{ no: 'cut' }, refusal(500), receiptOf('sign')] });
    await visitor.showOnce();
    await visitor.button('Sign').click();
    await alert('Your answer did not get through.');
    await visitor.button('Sign').click();
    await alert('Your answer did not get through.');
    await visitor.button('Sign').click();
    await visitor.sees('You have signed this.');
    const answer = { interaction_token: 'token', action: 'sign', action_hash: 'a1b2c3d4'.repeat(8) };
    expect(interactions()).toEqual([answer, answer, answer]);
  });

  it('asks before it is left without an answer, and not after it', async () => {
    await open({ ...asking('sign', 'deny'), interact: [receiptOf('sign')] });
    await visitor.showOnce();
    const asked: string[] = [];
    visitor.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    const dialog = visitor.page.waitForEvent('dialog');
    await visitor.page.close({ runBeforeUnload: true });
    await dialog;
    await visitor.button('Sign').click();
    await visitor.sees('You have signed this.');
    await visitor.page.reload();
    expect(asked).toEqual(['beforeunload']);
  });

  it.each([
    [401, []],
    [409, []],
    [429, ['beforeunload']],
  ])('asks before it is left only while it can be answered: %i', async (status, questions) => {
    await open({ ...asking('acknowledge'), interact: [refusal(status)] });
    await visitor.showOnce();
    await visitor.button('Acknowledge').click();
    await visitor.page.getByRole('alert').filter({ hasText: /./ }).waitFor();
    const asked: string[] = [];
    visitor.page.on('dialog', (dialog) => {
      asked.push(dialog.type());
      void dialog.accept();
    });
    await visitor.page.reload();
    expect(asked).toEqual(questions);
  });

  it.each([
    [409, 'You have already answered differently.'],
    [401, 'it was opened more than 24 hours ago'],
    [403, 'The sender does not ask for this answer.'],
    [400, 'This answer does not fit the content'],
    [429, 'Try again in a minute.'],
  ])('explains a refusal with %i', async (status, text) => {
    await open({ ...asking('acknowledge'), interact: [refusal(status)] });
    await visitor.showOnce();
    await visitor.button('Acknowledge').click();
    await alert(text);
  });

  it('keeps text and focus of a reply when a download ends', async () => {
    const progress = (status: string) => ({ body: { progress: { status, bytes_downloaded: 5 } } });
    const { open: [content] = [] } = asking('reply');
    const body = { ...content?.body, ...downloadOf(5).body };
    await visitor.context.route(downloadUrl, (route) =>
      route.fulfill({ body: 'bytes', headers: { 'Content-Disposition': 'attachment; filename=r.pdf' } }),
    );
    await open({ ...file('r.pdf', 5), open: [{ body }], progress: [progress('active')] });
    await visitor.button('Download').click();
    await visitor.page.getByLabel('Your reply').fill('Thank you');
    await visitor.script({ progress: [progress('complete')] });
    await visitor.sees('The file is complete');
    expect(await visitor.focused()).toBe('reply');
    expect(await visitor.page.getByLabel('Your reply').inputValue()).toBe('Thank you');
    await visitor.status().getByText('The file is complete').waitFor();
  });
});

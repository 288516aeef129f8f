import { afterEach, describe, expect, it } from '@jest/globals';
import { NotifyConfig } from '../config.js';
import { MessageStore } from '../../../../tools/mail/message-store.ts';
import { answerWebhook } from '../../../../tools/mail/webhooks.ts';
import { cut, ProviderServer, reply, type Respond } from '../testing/provider-server.js';
import { failureOf, notificationTo } from '../testing/sample-notification.js';
import { SlackProvider } from './slack-provider.js';
import { TeamsProvider } from './teams-provider.js';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
});

async function server(respond: Respond): Promise<ProviderServer> {
  const started = await ProviderServer.start(respond);
  servers.push(started);
  return started;
}

const config = Object.assign(new NotifyConfig(), { PROFILE: 'local' });
const slack = new SlackProvider(config);
const teams = new TeamsProvider(config);

/** The receivers of the local inbox. */
async function inbox() {
  const store = new MessageStore();
  const { origin } = await server((response, { path, headers, body }) => {
    const given = answerWebhook(store, { method: 'POST', path, headers, body: body.toString() });
    response.writeHead(given?.status ?? 404).end(given?.text);
  });
  return { origin, received: () => store.notifications.list() };
}

interface SlackBlock {
  readonly text?: { type: string; text: string };
  readonly elements?: { type: string; text: string }[];
}

interface TeamsMessage {
  readonly attachments: { content: { body: { inlines: { text: string }[] }[] } }[];
}

/** As Slack shows a plain text. */
const decodedBySlack = (text: string) =>
  text.replace(/&(amp|lt|gt);/g, (_, name: 'amp' | 'lt' | 'gt') => ({ amp: '&', lt: '<', gt: '>' })[name]);

const hostile = { organizationName: '<!channel> Evil', title: '[Win](https://evil.example) <@U1>' };

describe('NTF-13 NTF-43: a notification to Slack', () => {
  it('names sender, title and recipient, and links to the message', async () => {
    const { origin, received } = await inbox();
    const notification = notificationTo(`${origin}/slack/T1`);
    await slack.send(notification);
    const [{ text }] = received() as unknown as [{ text: string }];
    expect(text.split('\n')).toEqual([
      'Engines sent you a sealed message',
      'Contract',
      `Open the message: ${notification.linkUrl}`,
      expect.stringMatching(/^For ada@example.com. Opens once, until \d+ \w+ \d{4} at \d\d:\d\d UTC\.$/),
    ]);
  });

  it('mentions nobody, formats nothing that a person chose, and is not unfurled', async () => {
    const chat = await server(reply(200, 'ok'));
    await slack.send(notificationTo(chat.origin, hostile));
    const [body] = chat.bodies as [{ text: string; blocks: { text?: { type: string; text: string } }[] }];
    expect(body).toMatchObject({ unfurl_links: false, unfurl_media: false });
    expect(body.text).not.toMatch(/[<>]/);
    const formatted = body.blocks.filter(({ text }) => text?.type === 'mrkdwn');
    expect(formatted.map(({ text }) => text?.text)).toEqual([
      '<https://links.example.com/abcdefghijklmnopqrstuv|Open the message>',
    ]);
  });

  it('NTF-43: shows names as they were typed, although Slack decodes entities once', async () => {
    const chat = await server(reply(200, 'ok'));
    const title = 'Q&amp;A &lt;b&gt; <b> & "x"';
    await slack.send(
      notificationTo(chat.origin, { title, organizationName: 'R&amp;D', recipient: '&lt;ada' }),
    );
    const [body] = chat.bodies as [{ text: string; blocks: SlackBlock[] }];
    const shown = body.blocks.flatMap(({ text, elements = [] }) => [...(text ? [text] : []), ...elements]);
    expect(shown.filter(({ type }) => type === 'plain_text').map(({ text }) => decodedBySlack(text))).toEqual(
      [
        'R&amp;D sent you a sealed message',
        title,
        expect.stringMatching(/^For &lt;ada\. Opens once, until /),
      ],
    );
    expect(decodedBySlack(body.text)).toBe(`R&amp;D sent you a sealed message: ${title}`);
  });

  it.each([
    [400, 'invalid_payload', 'HTTP 400 invalid_payload', true],
    [403, 'action_prohibited', 'HTTP 403 action_prohibited', true],
    [404, 'no_service', 'HTTP 404 no_service', true],
    [410, 'channel_is_archived', 'HTTP 410 channel_is_archived', true],
    [404, 'nobody is ada@example.com', 'HTTP 404', true],
    [500, 'rollup_error', 'HTTP 500 rollup_error', false],
    [302, '', 'HTTP 302', false],
  ])('fails with %i %s', async (status, text, code, isFinal) => {
    const { origin } = await server(reply(status, text));
    expect(await failureOf(slack.send(notificationTo(origin)))).toMatchObject({
      code,
      isFinal,
      isAnswerLost: false,
      isAddressGone: false,
    });
  });

  it('is tried again after the delay of a 429', async () => {
    const { origin } = await server(reply(429, '', { 'retry-after': '30' }));
    expect(await failureOf(slack.send(notificationTo(origin)))).toMatchObject({
      isFinal: false,
      retryAfterMs: 30_000,
    });
  });
});

describe('NTF-13 NTF-43: a notification to Teams', () => {
  it('is an Adaptive Card with sender, title, recipient and a link', async () => {
    const { origin, received } = await inbox();
    const notification = notificationTo(`${origin}/teams`);
    await teams.send(notification);
    const [{ text, content }] = received() as unknown as [{ text: string; content: unknown }];
    expect(text.split('\n')).toEqual([
      'Engines sent you a sealed message',
      'Contract',
      expect.stringMatching(/^For ada@example.com\. Opens once, until /),
      `Open the message: ${notification.linkUrl}`,
    ]);
    expect(content).toMatchObject({ type: 'message', attachments: [{ content: { version: '1.4' } }] });
  });

  it('has no element that would show the Markdown of a name', async () => {
    const { origin, received } = await server(reply(202));
    await teams.send(notificationTo(origin, hostile));
    expect(received[0]?.body.toString()).not.toContain('"TextBlock"');
  });

  it('NTF-43: shows names as they were typed, in clients that decode entities and in those that do not', async () => {
    const { origin, received } = await server(reply(202));
    const title = 'Q&amp;A &quot;x&quot; & {{DATE(2026-11-26T10:00:00Z, SHORT)}}';
    await teams.send(notificationTo(origin, { title }));
    const { attachments } = JSON.parse(received[0]?.body.toString() ?? '') as TeamsMessage;
    const sent = attachments[0]?.content.body[1]?.inlines[0]?.text ?? '';
    expect(sent.replaceAll('\u2060', '')).toBe(title);
    expect(sent).not.toMatch(/&(quot|lt|gt|nbsp|amp);|\{\{DATE\(/);
  });

  it.each([
    [400, true],
    [404, true],
    [429, false],
    [502, false],
  ])('fails with %i', async (status, isFinal) => {
    const { origin } = await server(
      reply(status, '{"error":{"message":"ada@example.com"}}', { 'retry-after': '5' }),
    );
    expect(await failureOf(teams.send(notificationTo(origin)))).toMatchObject({
      code: `HTTP ${status}`,
      isFinal,
      retryAfterMs: 5_000,
    });
  });
});

describe('NTF-43: the webhook of a chat', () => {
  it.each([
    ['Slack', slack],
    ['Teams', teams],
  ])('of %s needs no settings, reaches no private host, and reports a lost reply', async (_, provider) => {
    expect(provider.missingSettings()).toEqual([]);
    expect(await failureOf(provider.send(notificationTo('https://192.168.1.1/x')))).toMatchObject({
      code: 'PRIVATE_ADDRESS',
    });
    const { origin } = await server(cut);
    expect(await failureOf(provider.send(notificationTo(origin)))).toMatchObject({ isAnswerLost: true });
  });
});

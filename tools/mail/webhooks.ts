import type { IncomingHttpHeaders } from 'node:http';
import { itemsOf, membersOf, parseObject, textOf, type JsonObject } from './json.ts';
import type { MessageReceiver } from './message-store.ts';

/**
 * Receivers of webhooks, each with any path below it: `POST /webhook` as a server that follows Standard Webhooks (whose
 * signature it shows, not knowing the secret), `POST /slack` as an incoming webhook of Slack, `POST /teams` as one of Workflows
 * for Microsoft Teams.
 */

type Reply = { status: number; text: string };
type Received = {
  inbox: MessageReceiver;
  path: string;
  headers: IncomingHttpHeaders;
  /** Undefined if it is not JSON. */
  content: JsonObject | undefined;
};

/** Answers a webhook. Undefined when the request is none. */
export function answerWebhook(
  inbox: MessageReceiver,
  {
    method,
    path,
    headers,
    body,
  }: { method: string; path: string; headers: IncomingHttpHeaders; body: string },
): Reply | undefined {
  const [, kind = ''] = /^\/(webhook|slack|teams)(?:\/|$)/.exec(path) ?? [];
  const receive = receivers[kind];
  if (!receive || method !== 'POST') return undefined;
  return receive({ inbox, path, headers, content: parseObject(body) });
}

const receivers: Record<string, (received: Received) => Reply> = {
  webhook: receiveWebhook,
  slack: receiveSlack,
  teams: receiveTeams,
};

function receiveWebhook({ inbox, path: to, headers, content }: Received) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const details = Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
  if (Object.values(details).includes('') || typeof content?.type !== 'string')
    return { status: 400, text: 'not a webhook of Standard Webhooks' };
  const data = membersOf(content.data);
  const text = [content.type, data.link_url].join('\n').trim();
  const [from, title] = [textOf(data.organization_name), textOf(data.title)];
  inbox.receiveNotification({ channel: 'webhook', from, to, title, text, details, content });
  return { status: 204, text: '' };
}

function receiveSlack({ inbox, path: to, content }: Received) {
  if (!content) return { status: 400, text: 'invalid_payload' };
  if (typeof content.text !== 'string') return { status: 400, text: 'no_text' };
  const blocks = itemsOf(content.blocks).map(membersOf);
  const lines = blocks.flatMap(({ text, elements }) => [text, ...itemsOf(elements)]);
  const text = lines.map(slackText).filter(Boolean).join('\n') || content.text;
  inbox.receiveNotification({ channel: 'slack', from: '', to, title: '', text, details: {}, content });
  return { status: 200, text: 'ok' };
}

/** A text object as Slack shows it, with the addresses of its links. */
function slackText(line: unknown) {
  const { type, text: written } = membersOf(line);
  const text = textOf(written);
  if (type !== 'mrkdwn') return text;
  const linked = text.replace(/<([^|>]+)\|([^>]*)>/g, '$2: $1');
  return linked.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function receiveTeams({ inbox, path: to, content }: Received) {
  const attachment = membersOf(itemsOf(content?.attachments)[0]);
  const card = membersOf(attachment.content);
  if (attachment.contentType !== 'application/vnd.microsoft.card.adaptive' || card.type !== 'AdaptiveCard')
    return { status: 400, text: '{"error":{"code":"TriggerInputSchemaMismatch"}}' };
  const lines = [...itemsOf(card.body).map(cardText), ...itemsOf(card.actions).map(actionText)];
  const text = lines.filter(Boolean).join('\n');
  inbox.receiveNotification({ channel: 'teams', from: '', to, title: '', text, details: {}, content });
  return { status: 202, text: '' };
}

function cardText(element: unknown) {
  const { text, inlines } = membersOf(element);
  return (
    textOf(text) +
    itemsOf(inlines)
      .map((run) => textOf(membersOf(run).text))
      .join('')
  );
}

function actionText(action: unknown) {
  const { title, url } = membersOf(action);
  return `${textOf(title)}: ${textOf(url)}`;
}

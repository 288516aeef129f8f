import type { MessageReceiver } from './message-store.ts';
import type { IncomingHttpHeaders } from 'node:http';

/**
 * Receivers of webhooks, each with any path below it: `POST /webhook` as a server that follows Standard Webhooks (whose
 * signature it shows, not knowing the secret), `POST /slack` as an incoming webhook of Slack, `POST /teams` as one of Workflows
 * for Microsoft Teams.
 */

type Reply = { status: number; text: string };
type Received = { inbox: MessageReceiver; path: string; headers: IncomingHttpHeaders; content: any };

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
  return receive({ inbox, path, headers, content: parsed(body) });
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
  const { title, organization_name: from = '', link_url: url = '' } = Object(content.data);
  const text = `${content.type}\n${url}`.trim();
  inbox.receiveNotification({ channel: 'webhook', from, to, title: title ?? '', text, details, content });
  return { status: 204, text: '' };
}

function receiveSlack({ inbox, path: to, content }: Received) {
  if (!content) return { status: 400, text: 'invalid_payload' };
  if (typeof content.text !== 'string') return { status: 400, text: 'no_text' };
  const blocks = Array.isArray(content.blocks) ? content.blocks : [];
  const lines = blocks.flatMap((block: any) => [block.text, ...(block.elements ?? [])]);
  const shown = lines.map((line: any) => slackText(line)).filter(Boolean);
  const text = shown.join('\n') || content.text;
  inbox.receiveNotification({ channel: 'slack', from: '', to, title: '', text, details: {}, content });
  return { status: 200, text: 'ok' };
}

/** A text object as Slack shows it, with the addresses of its links. */
function slackText(line: { type?: string; text?: unknown } | undefined) {
  const text = String(line?.text ?? '');
  if (line?.type !== 'mrkdwn') return text;
  const linked = text.replace(/<([^|>]+)\|([^>]*)>/g, '$2: $1');
  return linked.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

function receiveTeams({ inbox, path: to, content }: Received) {
  const [attachment] = Array.isArray(content?.attachments) ? content.attachments : [];
  const card = attachment?.content;
  if (attachment?.contentType !== 'application/vnd.microsoft.card.adaptive' || card?.type !== 'AdaptiveCard')
    return { status: 400, text: '{"error":{"code":"TriggerInputSchemaMismatch"}}' };
  const lines = [...(card.body ?? []).map(cardText), ...(card.actions ?? []).map(actionText)];
  const text = lines.filter(Boolean).join('\n');
  inbox.receiveNotification({ channel: 'teams', from: '', to, title: '', text, details: {}, content });
  return { status: 202, text: '' };
}

function cardText({ text = '', inlines = [] }: { text?: string; inlines?: { text?: string }[] }) {
  return text + inlines.map((run) => run.text ?? '').join('');
}

function actionText({ title = '', url = '' }: { title?: string; url?: string }) {
  return `${title}: ${url}`;
}

function parsed(body: string) {
  try {
    return Object(JSON.parse(body));
  } catch {
    return undefined;
  }
}

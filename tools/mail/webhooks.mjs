/**
 * Receivers of webhooks, each with any path below it: `POST /webhook` as a server that follows Standard Webhooks (whose
 * signature it shows, not knowing the secret), `POST /slack` as an incoming webhook of Slack, `POST /teams` as one of Workflows
 * for Microsoft Teams.
 */

/** @typedef {import('./message-store.mjs').MessageReceiver} MessageReceiver */
/** @typedef {{ status: number, text: string }} Reply */
/** @typedef {{ inbox: MessageReceiver, path: string, headers: import('node:http').IncomingHttpHeaders, content: any }} Received */

/**
 * Answers a webhook. Undefined when the request is none.
 * @param {MessageReceiver} inbox
 * @param {{ method: string, path: string, headers: import('node:http').IncomingHttpHeaders, body: string }} request
 * @returns {Reply | undefined}
 */
export function answerWebhook(inbox, { method, path, headers, body }) {
  const [, kind = ''] = /^\/(webhook|slack|teams)(?:\/|$)/.exec(path) ?? [];
  const receive = receivers[kind];
  if (!receive || method !== 'POST') return undefined;
  return receive({ inbox, path, headers, content: parsed(body) });
}

/** @type {Record<string, (received: Received) => Reply>} */
const receivers = { webhook: receiveWebhook, slack: receiveSlack, teams: receiveTeams };

/** @param {Received} received */
function receiveWebhook({ inbox, path: to, headers, content }) {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const details = Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
  if (Object.values(details).includes('') || typeof content?.type !== 'string')
    return { status: 400, text: 'not a webhook of Standard Webhooks' };
  const { title, organization_name: from = '', link_url: url = '' } = Object(content.data);
  const text = `${content.type}\n${url}`.trim();
  inbox.receiveNotification({ channel: 'webhook', from, to, title: title ?? '', text, details, content });
  return { status: 204, text: '' };
}

/** @param {Received} received */
function receiveSlack({ inbox, path: to, content }) {
  if (!content) return { status: 400, text: 'invalid_payload' };
  if (typeof content.text !== 'string') return { status: 400, text: 'no_text' };
  const blocks = Array.isArray(content.blocks) ? content.blocks : [];
  const lines = blocks.flatMap((/** @type {any} */ block) => [block.text, ...(block.elements ?? [])]);
  const shown = lines.map((/** @type {any} */ line) => slackText(line)).filter(Boolean);
  const text = shown.join('\n') || content.text;
  inbox.receiveNotification({ channel: 'slack', from: '', to, title: '', text, details: {}, content });
  return { status: 200, text: 'ok' };
}

/**
 * A text object as Slack shows it, with the addresses of its links.
 * @param {{ type?: string, text?: unknown } | undefined} line
 */
function slackText(line) {
  const text = String(line?.text ?? '');
  if (line?.type !== 'mrkdwn') return text;
  const linked = text.replace(/<([^|>]+)\|([^>]*)>/g, '$2: $1');
  return linked.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** @param {Received} received */
function receiveTeams({ inbox, path: to, content }) {
  const [attachment] = Array.isArray(content?.attachments) ? content.attachments : [];
  const card = attachment?.content;
  if (attachment?.contentType !== 'application/vnd.microsoft.card.adaptive' || card?.type !== 'AdaptiveCard')
    return { status: 400, text: '{"error":{"code":"TriggerInputSchemaMismatch"}}' };
  const lines = [...(card.body ?? []).map(cardText), ...(card.actions ?? []).map(actionText)];
  const text = lines.filter(Boolean).join('\n');
  inbox.receiveNotification({ channel: 'teams', from: '', to, title: '', text, details: {}, content });
  return { status: 202, text: '' };
}

/** @param {{ text?: string, inlines?: { text?: string }[] }} element */
function cardText({ text = '', inlines = [] }) {
  return text + inlines.map((run) => run.text ?? '').join('');
}

/** @param {{ title?: string, url?: string }} action */
function actionText({ title = '', url = '' }) {
  return `${title}: ${url}`;
}

/** @param {string} body */
function parsed(body) {
  try {
    return Object(JSON.parse(body));
  } catch {
    return undefined;
  }
}

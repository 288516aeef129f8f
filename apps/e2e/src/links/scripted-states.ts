import { stack } from '../stack.js';
import type { Script, ScriptedAnswer } from './visitor.js';

export const refusal = (status: number, details: object = {}, headers = {}): ScriptedAnswer => ({
  status,
  headers,
  body: { error: { code: 'X', message: 'x', details }, meta: {} },
});
export const endedLink = (state: string) => refusal(403, { state });
export const verificationRequired = (...methods: string[]) => refusal(401, { verification: { methods } });
export const passkeyRequired = refusal(401, {
  verification: { methods: ['passkey'], enrollment: ['email'] },
});
export const secondPersonRequired = refusal(409, { code: 'LINK_SECOND_PERSON_REQUIRED' });
export const codeSent = { sent: true, expires_at: 4_000_000_000 };

const content = (payload: string, content_type = 'text/plain', filename: string | null = null): Script => ({
  describe: [{ body: { type: 'content', once: true } }],
  open: [{ body: { type: 'content', payload, content_type, filename } }],
});
const warning = (reason: string, url: string): Script => ({
  describe: [{ body: { type: 'redirect', once: true } }],
  open: [{ body: { type: 'warning', url, reason } }],
});

/** A text whose sender asks for an answer. */
export const asking = (...actions: string[]): Script => {
  const offer = { interaction_token: 'token', action_hash: 'a1b2c3d4'.repeat(8), expires_at: 4_000_000_000 };
  const interaction = { ...offer, actions: ['view', ...actions], is_requested: true };
  const body = { type: 'content', payload: 'The contract', content_type: 'text/plain', interaction };
  return { describe: [{ body: { type: 'content', once: true } }], open: [{ body }] };
};
export const receiptOf = (action: string): ScriptedAnswer => ({
  body: { action, at: 1_785_499_200, jws: `eyJhbGciOiJFZERTQSJ9.${'cGF5bG9hZA'.repeat(40)}.c2lnbmF0dXJl` },
});

export const text = `Server: db.example.com\nUser:   ann\nSecret: correct horse battery staple`;
export const longName = `${'A very long name of a report that is hard to read '.repeat(3)}(final).pdf`;
export const file = (name: string, size_bytes = 5_368_709, once = true): Script => ({
  describe: [{ body: { type: 'file', name, size_bytes, once } }],
});
/** The same with a description that names the organization. */
const sharedBy = (shared_by: string, { describe: [described] = [], ...rest }: Script): Script => ({
  ...rest,
  describe: [{ ...described, body: { ...described?.body, shared_by } }],
});
/** On the stack's Forge, because the page may request the progress only there. */
export const downloadUrl = `${stack().forge_url}/decrypt?istk=x`;
export const downloadOf = (size_bytes: number): ScriptedAnswer => ({
  body: { type: 'file', download_url: downloadUrl, size_bytes },
});

/** A state of the page: its heading, and the answers of the server that lead to it. */
export interface PageState {
  readonly name: string;
  readonly heading: string;
  readonly script: Script;
  /** Whether the visitor presses the button that opens content first. */
  readonly isPressed?: boolean;
}

const ready = 'Your link is ready';
const SHARER = 'Acme Ltd.';

/** States that the page reaches without an action of the visitor, or by the press that opens content. */
export const states: readonly PageState[] = [
  { name: 'opening', heading: 'Checking your link', script: { describe: [{ no: 'held' }] } },
  { name: 'text', heading: 'This was shared with you', script: content(text), isPressed: true },
  {
    name: 'text-long',
    heading: 'This was shared with you',
    script: content('0123456789abcdef'.repeat(400), 'application/json', longName),
    isPressed: true,
  },
  {
    name: 'text-rtl',
    heading: 'This was shared with you',
    script: content('שלום עולם', 'text/plain', 'סיסמה חדשה.txt'),
    isPressed: true,
  },
  {
    name: 'binary',
    heading: 'A file was shared with you',
    script: content('AAECAwQFBgcICQ==', 'application/octet-stream', 'key.bin'),
    isPressed: true,
  },
  { name: 'file', heading: 'A file was shared with you', script: file('Quarterly report.pdf') },
  { name: 'file-long', heading: 'A file was shared with you', script: file(longName, 5_000_000_000_000) },
  {
    name: 'file-durable',
    heading: 'A file was shared with you',
    script: file('Minutes.pdf', 5_368_709, false),
  },
  { name: 'ready', heading: ready, script: content(text) },
  { name: 'ready-sharer', heading: ready, script: sharedBy(SHARER, content(text)) },
  { name: 'ready-sharer-long', heading: ready, script: sharedBy('Gesellschaft'.repeat(21), content(text)) },
  {
    name: 'text-sharer',
    heading: 'This was shared with you',
    script: sharedBy(SHARER, content(text)),
    isPressed: true,
  },
  {
    name: 'file-sharer',
    heading: 'A file was shared with you',
    script: sharedBy(SHARER, file('Quarterly report.pdf')),
  },
  {
    name: 'confirm',
    heading: ready,
    script: { describe: [{ body: { type: 'redirect', once: true } }], open: [{ body: { type: 'confirm' } }] },
  },
  {
    name: 'verify-email',
    heading: 'Confirm who you are',
    script: { describe: [verificationRequired('email')] },
  },
  { name: 'verify-sms', heading: 'Confirm who you are', script: { describe: [verificationRequired('sms')] } },
  {
    name: 'verify-both',
    heading: 'Confirm who you are',
    script: { describe: [verificationRequired('email', 'sms')] },
  },
  {
    name: 'warning',
    heading: 'Think before you continue',
    script: warning(
      'social_engineering',
      `https://sign-in.bank.example/${'a-long-path/'.repeat(20)}?session=1`,
    ),
  },
  {
    name: 'warning-unchecked',
    heading: 'Think before you continue',
    script: warning('unchecked', 'https://example.com/'),
  },
  { name: 'passkey', heading: 'Confirm who you are', script: { describe: [passkeyRequired] } },
  { name: 'second-person', heading: 'You are verified', script: { describe: [secondPersonRequired] } },
  { name: 'sign', heading: 'This was shared with you', script: asking('sign', 'deny'), isPressed: true },
  { name: 'reply', heading: 'This was shared with you', script: asking('reply'), isPressed: true },
  { name: 'consumed', heading: 'This link has been opened', script: { describe: [endedLink('consumed')] } },
  { name: 'revoked', heading: 'This link was withdrawn', script: { describe: [endedLink('revoked')] } },
  { name: 'expired', heading: 'This link has expired', script: { describe: [endedLink('expired')] } },
  { name: 'suspended', heading: 'This link is paused', script: { describe: [endedLink('suspended')] } },
  { name: 'unknown', heading: 'This link leads nowhere', script: { describe: [refusal(404)] } },
  { name: 'elsewhere', heading: 'This link does not open here', script: { describe: [refusal(403)] } },
  { name: 'no-answer', heading: 'This did not work', script: { describe: [{ no: 'cut' }] } },
  {
    name: 'too-often',
    heading: 'This did not work',
    script: { describe: [refusal(429, {}, { 'Retry-After': '42' })] },
  },
  {
    name: 'being-opened',
    heading: 'Somebody is opening this link',
    script: { describe: [{ body: { type: 'content', once: true } }], open: [refusal(409)] },
    isPressed: true,
  },
  {
    name: 'maybe-opened',
    heading: 'This did not work',
    script: { describe: [{ body: { type: 'content', once: true } }], open: [{ no: 'cut' }] },
    isPressed: true,
  },
];

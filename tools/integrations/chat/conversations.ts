import { fieldsOf, textOf, type Fields } from '../fields.ts';
import { problemsOfBlocks, problemsOfView } from './chat-limits.ts';
import { shownTexts } from './text-objects.ts';

const TRIGGER_MS = 3_000;

interface Conversation {
  kind: 'public' | 'private' | 'mpim' | 'im';
  /** Whether the app is in it. */
  hasApp: boolean;
  isArchived?: boolean;
  /** With another workspace, whose people use the app there, too. */
  isShared?: boolean;
  /** The person of a direct message with the app. */
  user?: string;
}

/** The workspace of the people who are in shared channels. */
export const PARTNER_TEAM = 'T0PARTNER';

/** The people of every workspace. Ids of an organization's people begin with W. */
export const people: Readonly<Record<string, string>> = {
  U0ADA: 'ada',
  U0BOB: 'bob',
  U0EVE: 'eve',
  W0DAN: 'dan',
};

/** People of the partner, whom shared channels show. */
export const strangers: Readonly<Record<string, string>> = { U0PIA: 'pia' };

/** The conversations of every workspace. The app has a direct message with each person, and is in none between two people. */
export const conversations: Readonly<Record<string, Conversation>> = {
  C0GENERAL: { kind: 'public', hasApp: false },
  C0RANDOM: { kind: 'public', hasApp: true },
  C0OLD: { kind: 'public', hasApp: false, isArchived: true },
  G0PRIVATE: { kind: 'private', hasApp: false },
  G0INVITED: { kind: 'private', hasApp: true },
  G0GROUP: { kind: 'mpim', hasApp: true },
  C0SHARED: { kind: 'public', hasApp: true, isShared: true },
  D0ADABOB: { kind: 'im', hasApp: false },
  ...Object.fromEntries(Object.keys(people).map((user) => [dmOf(user), { kind: 'im', hasApp: true, user }])),
};

/** The direct message of a person with the app. */
function dmOf(user: string) {
  return `D0${user.slice(2)}`;
}

/** Views, messages and memberships of one workspace. */
export class WorkspaceState {
  /** channels that the app has joined */
  #joined: Set<string> = new Set();
  #triggers: Map<string, { at: number; isUsed: boolean }> = new Map();
  #count = 0;
  /** by id; their texts are as people see them */
  views = new Map<string, object>();
  /** by `channel ts`; their texts are as people see them */
  messages = new Map<string, object>();

  readonly teamId: string;

  constructor(teamId: string) {
    this.teamId = teamId;
  }

  /** A trigger of an interaction: it opens one view, within three seconds. */
  newTrigger() {
    const id = `${Date.now()}.${++this.#count}.trigger`;
    this.#triggers.set(id, { at: Date.now(), isUsed: false });
    return id;
  }

  openView({ trigger_id, view }: Fields) {
    const trigger = this.#triggers.get(textOf(trigger_id));
    if (!trigger) return failed('invalid_trigger_id');
    if (Date.now() - trigger.at > TRIGGER_MS) return failed('expired_trigger_id');
    if (trigger.isUsed) return failed('exchanged_trigger_id');
    const problems = problemsOfView(view);
    if (problems.length > 0) return invalid(problems);
    trigger.isUsed = true;
    const opened = {
      id: `V${++this.#count}`,
      team_id: this.teamId,
      app_installed_team_id: this.teamId,
      hash: String(this.#count),
      state: { values: {} },
      ...shownTexts(fieldsOf(view)),
    };
    this.views.set(opened.id, opened);
    return { ok: true, view: opened };
  }

  updateView({ view_id, hash, view }: Fields) {
    const known = this.views.get(textOf(view_id));
    if (!known) return failed('not_found');
    if (hash !== undefined && hash !== fieldsOf(known).hash) return failed('hash_conflict');
    const problems = problemsOfView(view);
    if (problems.length > 0) return invalid(problems);
    const updated = { ...known, ...shownTexts(fieldsOf(view)), hash: String(++this.#count) };
    this.views.set(textOf(view_id), updated);
    return { ok: true, view: updated };
  }

  publish({ user_id, view }: Fields) {
    const user = textOf(user_id);
    if (!(user in people)) return failed('user_not_found');
    const problems = problemsOfView(view);
    if (problems.length > 0) return invalid(problems);
    this.views.set(`home of ${user}`, shownTexts(fieldsOf(view)));
    return { ok: true, view };
  }

  post({ channel: given, text, blocks }: Fields) {
    const channel = textOf(given);
    const refusal = this.#whyNotIn(channel);
    if (refusal) return failed(refusal);
    if (!text && !blocks) return failed('no_text');
    const problems = blocks === undefined ? [] : problemsOfBlocks(blocks, 50);
    if (problems.length > 0) return invalid(problems, 'invalid_blocks');
    const ts = `${Math.floor(Date.now() / 1_000)}.${String(++this.#count).padStart(6, '0')}`;
    const message = {
      channel: channel in people ? dmOf(channel) : channel,
      ts,
      text,
      ...shownTexts({ blocks }),
    };
    this.messages.set(`${message.channel} ${ts}`, message);
    return { ok: true, channel: message.channel, ts, message };
  }

  /** Only own messages can be changed. */
  update({ channel, ts, text, blocks }: Fields) {
    const known = this.messages.get(`${textOf(channel)} ${textOf(ts)}`);
    if (!known) return failed('message_not_found');
    const problems = blocks === undefined ? [] : problemsOfBlocks(blocks, 50);
    if (problems.length > 0) return invalid(problems, 'invalid_blocks');
    Object.assign(known, { text, ...shownTexts({ blocks }) });
    return { ok: true, channel, ts, text };
  }

  join({ channel: given }: Fields) {
    const channel = textOf(given);
    const known = conversations[channel];
    if (!known) return failed('channel_not_found');
    if (known.isArchived) return failed('is_archived');
    if (known.kind !== 'public') return failed('method_not_supported_for_channel_type');
    const isMember = known.hasApp || this.#joined.has(channel);
    this.#joined.add(channel);
    return { ok: true, channel: { id: channel }, ...(isMember && { warning: 'already_in_channel' }) };
  }

  /** Of conversations that the app may know: public ones, and those that it is in. */
  info({ channel: given }: Fields) {
    const channel = textOf(given);
    const known = conversations[channel];
    if (!known || (known.kind !== 'public' && !known.hasApp)) return failed('channel_not_found');
    const { kind, isArchived = false, isShared = false, user } = known;
    return {
      ok: true,
      channel: {
        id: channel,
        is_channel: kind === 'public',
        is_group: kind === 'private',
        is_im: kind === 'im',
        is_mpim: kind === 'mpim',
        is_private: kind !== 'public',
        is_archived: isArchived,
        is_ext_shared: isShared,
        is_member: known.hasApp || this.#joined.has(channel),
        ...(user !== undefined && { user }),
      },
    };
  }

  /** The direct message with a person. */
  open({ users }: Fields) {
    const user = textOf(users);
    if (!(user in people)) return failed('user_not_found');
    return { ok: true, channel: { id: dmOf(user) } };
  }

  #whyNotIn(channel: string) {
    if (channel in people) return undefined; // the conversation with the app
    const known = conversations[channel];
    if (!known) return 'channel_not_found';
    if (known.isArchived) return 'is_archived';
    if (known.hasApp || this.#joined.has(channel)) return undefined;
    return known.kind === 'public' ? 'not_in_channel' : 'channel_not_found';
  }
}

const failed = (error: string) => ({ ok: false, error });

const invalid = (messages: string[], error = 'invalid_arguments') => ({
  ok: false,
  error,
  response_metadata: { messages },
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import { integer, loadConfig, Setting } from '@vaultsvc/config';
import type { AccountContext, Role } from '@vaultsvc/contracts';
import { declineInvitation, inviteUser, removeUser, updateUser } from '@vaultsvc/contracts/auth';
import { useFixture } from '@vaultsvc/testing/fixtures';
import { accountContext, readReason, stopSchedule } from '@vaultsvc/testing/harness';
import { identityContextOf, SignInFixture } from '../testing/sign-in-fixture.js';

const fixture = useFixture(
  () => SignInFixture.start({ algorithm: 'ES256' }),
  (started) => started.stop(),
);
beforeAll(() => stopSchedule(fixture.service));

const STEPS = 150;
const PEOPLE = 8;
const ROLES = ['owner', 'owner', 'admin', 'member'] as const;
/** Every reason that a step of these sequences may be refused for. */
const REFUSALS = new Set([
  'ROLE_REQUIRED',
  'OWNER_SESSION_REQUIRED',
  'LAST_OWNER',
  'USER_NOT_FOUND',
  'EMAIL_TAKEN',
  'INVITATIONS_EXHAUSTED',
  'INVITATION_NOT_FOUND',
  'SIGNUP_COMPLETED',
  'AUTHENTICATION_ERROR',
]);

interface Member {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly role: Role;
  readonly status: 'active' | 'invited' | 'removed';
}

/** A step that is prepared: its text for a failure, who acts (null: an API key), and whose role may change by it. */
interface Step {
  readonly text: string;
  readonly kind: 'grant' | 'revoke' | 'answer';
  readonly actorId: string | null;
  readonly run: () => Promise<string | undefined>;
}

/** A sequence of pseudo-random choices, the same for the same seed (mulberry32). */
function choicesOf(seed: number) {
  let state = seed;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T;
}

const membersOf = (accountIds: readonly string[]) =>
  fixture.rows(
    `SELECT id, account_id AS "accountId", email, role, status FROM users WHERE account_id = ANY($1) ORDER BY created_at, id`,
    accountIds,
  ) as unknown as Promise<Member[]>;
const isOwner = ({ role, status }: Member) => role === 'owner' && status !== 'removed';

/** Two accounts of one owner each, and people who belong to none yet. */
async function sequenceOf(seed: number) {
  const pick = choicesOf(seed);
  const accountIds = [(await fixture.newAccount()).accountId, (await fixture.newAccount()).accountId];
  const people = Array.from({ length: PEOPLE }, () => fixture.addProviderUser());

  /** A session as the gateway would have admitted it before the step, or an API key. */
  const callerOf = (accountId: string, members: readonly Member[]): AccountContext => {
    const caller = pick([null, ...members.filter((m) => m.accountId === accountId && m.status === 'active')]);
    if (caller === null) return accountContext({ accountId });
    return accountContext({ kind: 'session', accountId, userId: caller.id, role: caller.role });
  };

  const bus = () => fixture.harness.bus;
  const by = ({ credential }: AccountContext) => credential.userId ?? 'a key';

  async function prepare(members: readonly Member[]): Promise<Step> {
    const accountId = pick(accountIds);
    const context = callerOf(accountId, members);
    const actorId = context.credential.userId;
    const role = pick(ROLES);
    const target = pick(members.filter((m) => m.accountId === accountId && m.status !== 'removed'));
    const kind = pick(['invite', 'change', 'change', 'remove', 'accept', 'accept', 'decline'] as const);
    if (kind === 'invite') {
      const { email } = pick(people);
      const invite = () => bus().call(inviteUser, { body: { email, role, seat: 'full' } }, context);
      const run = async () => (await invite()).user_id;
      return { kind: 'grant', actorId, text: `${by(context)} invites ${email} as ${role}`, run };
    }
    if (kind === 'change') {
      const input = { params: { user_id: target.id }, body: { role } };
      const run = async () => (await bus().call(updateUser, input, context)).user_id;
      const text = `${by(context)} makes ${target.id} ${role}`;
      return { kind: role === 'owner' ? 'grant' : 'revoke', actorId, text, run };
    }
    if (kind === 'remove') {
      const run = async () => {
        await bus().call(removeUser, { params: { user_id: target.id } }, context);
        return target.id;
      };
      return { kind: 'revoke', actorId, text: `${by(context)} removes ${target.id}`, run };
    }
    return prepareAnswer(kind, members);
  }

  async function prepareAnswer(kind: 'accept' | 'decline', members: readonly Member[]): Promise<Step> {
    const open = members.filter(({ status }) => status === 'invited');
    const idle: Step = { kind: 'answer', actorId: null, text: 'nothing', run: async () => undefined };
    if (open.length === 0) return idle;
    const { id, email } = pick(open);
    const person = people.find((each) => each.email === email) as (typeof people)[number];
    const session = await fixture.signIn(person.subject);
    if (session.account) return idle;
    const decline = { params: { invitation_id: id } };
    const run = async () => {
      if (kind === 'accept') await fixture.acceptInvitation(id, session);
      else await bus().call(declineInvitation, decline, identityContextOf(session));
      return id;
    };
    return { kind: 'answer', actorId: null, text: `${email} ${kind}s ${id}`, run };
  }

  return { pick, accountIds, prepare };
}

/** The steps that succeeded, each with the user whom it was about. */
async function runAll(steps: readonly Step[]) {
  const done: { step: Step; userId: string | undefined }[] = [];
  await Promise.all(
    steps.map(async (step) => {
      try {
        done.push({ step, userId: await step.run() });
      } catch (error) {
        if (!REFUSALS.has(readReason(error))) throw error;
      }
    }),
  );
  return done;
}

/** Fails unless each account keeps an active owner, and each change of an owner was made by one. */
function assertOwnersRule(
  before: readonly Member[],
  after: readonly Member[],
  done: Awaited<ReturnType<typeof runAll>>,
  accountIds: readonly string[],
): void {
  for (const accountId of accountIds)
    expect(
      after.filter((m) => m.accountId === accountId && isOwner(m) && m.status === 'active').length,
    ).toBeGreaterThan(0);
  const were = new Set(before.filter(isOwner).map(({ id }) => id));
  const are = new Set(after.filter(isOwner).map(({ id }) => id));
  // Whom a concurrent step made an owner may act as one in the same round.
  const granted = done.filter(({ step }) => step.kind === 'grant').map(({ userId }) => userId);
  const mayAct = new Set([...were, ...granted]);
  const isBy = (kind: Step['kind'], id: string) =>
    done.some(
      ({ step, userId }) =>
        step.kind === kind && userId === id && step.actorId !== null && mayAct.has(step.actorId),
    );
  for (const id of are) if (!were.has(id)) expect([id, isBy('grant', id)]).toEqual([id, true]);
  for (const id of were)
    if (!are.has(id)) {
      const wasInvited = before.some((m) => m.id === id && m.status === 'invited');
      const isDeclined =
        wasInvited && done.some(({ step, userId }) => step.kind === 'answer' && userId === id);
      expect([id, isDeclined || isBy('revoke', id)]).toEqual([id, true]);
    }
}

/** What a sequence has to reach before it ends, so that it cannot succeed by doing nothing. */
const KINDS = ['grant', 'revoke', 'answer', 'more owners'];

/** Runs the steps in rounds of `atOnce` concurrent ones; a failure names the seed and the last rounds. */
async function runSequence(seed: number, atOnce: number) {
  const { accountIds, prepare } = await sequenceOf(seed);
  const seen = new Set<string>();
  const log: string[] = [];
  for (let step = 0; step < STEPS || seen.size < KINDS.length; step += atOnce) {
    const before = await membersOf(accountIds);
    const steps: Step[] = [];
    while (steps.length < atOnce) steps.push(await prepare(before));
    const done = await runAll(steps);
    const after = await membersOf(accountIds);
    log.push(steps.map(({ text }) => text).join(' | '));
    try {
      assertOwnersRule(before, after, done, accountIds);
    } catch (error) {
      throw new Error(`OWNERS_SEED=${seed}, round ${log.length}:\n${log.slice(-5).join('\n')}`, {
        cause: error,
      });
    }
    for (const { step: each } of done) seen.add(each.kind);
    if (after.filter((m) => isOwner(m) && m.status === 'active').length > 2) seen.add('more owners');
  }
  return seen;
}

class SequencesConfig {
  @Setting(integer({ min: 1 }), 'The seed of the steps, which a failure names.')
  OWNERS_SEED = 1;
}

const { OWNERS_SEED: seed } = loadConfig(SequencesConfig);

describe(`OPEN-59 OPEN-07: an account in ${STEPS} random steps of two accounts`, () => {
  it.each([1, 2, 4])(
    'keeps an owner, and only owners make, change or remove one, with %i steps at once',
    async (atOnce) => {
      const seen = await runSequence(seed + atOnce, atOnce);
      expect({ seed, seen: [...seen].sort() }).toEqual({ seed, seen: [...KINDS].sort() });
    },
    240_000,
  );
});

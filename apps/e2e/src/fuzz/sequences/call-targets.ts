import type { PublicOperation } from '@vaultsvc/contracts';
import { createApiKey, revokeApiKey } from '@vaultsvc/contracts/auth';
import { sealVault } from '@vaultsvc/contracts/vaults';
import { isSuccess, type Answer } from './answer.js';
import { CallResolver, type Place } from './call-resolver.js';
import type { CallStep, Target } from './call-step.js';
import { assertLikeUnknown, assertUnchanged, viewOf, withUnknown } from './comparisons.js';
import { endingOf, pathNamesOf } from './contract-names.js';
import { isKept, SHARED } from './invariants.js';
import type { Attempt } from './journal.js';
import type { Owner } from './known-values.js';
import type { Sequence } from './sequence.js';

type Run = (step: CallStep, sequence: Sequence, resolver: CallResolver) => Promise<void>;

/** The calls of each target, with what it promises beyond the invariants of every call. */
export const targets: Readonly<Record<Target, Run>> = {
  own: callOwn,
  unknown: callUnknown,
  foreign: callForeign,
  misplaced: callMisplaced,
  deleted: callDeleted,
  'wrong-vat': callWithTokenOfOther,
  'ended-vat': callWithEndedToken,
  'revoked-key': callWithRevokedKey,
};

async function callOwn(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const attempt = resolver.attempt(step, await resolver.place(step.op, step.owner, step));
  const answers = await repeated(attempt, step, sequence);
  const last = pathNamesOf(step.op).at(-1);
  const isDeletion =
    step.op.http.method === 'DELETE' && last && step.op.http.path.endsWith(`{${last.param}}`);
  if (!isDeletion || step.times !== 'twice' || !answers.some(isSuccess)) return;
  const isEnded = sequence.known.stateOf(attempt.parts.params?.[last.param]) === 'ended';
  if (!isEnded || isKept(attempt.op, last.name)) return;
  if (step.op.name !== 'vaults.delete')
    await assertLikeUnknown(attempt, last.param, 'after its deletion', sequence);
}

async function repeated(attempt: Attempt, { times }: CallStep, sequence: Sequence): Promise<Answer[]> {
  if (times === 'concurrently') return Promise.all([sequence.send(attempt), sequence.send(attempt)]);
  const first = await sequence.send(attempt);
  return times === 'twice' ? [first, await sequence.send(attempt)] : [first];
}

async function callUnknown(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const names = pathNamesOf(step.op);
  const attempt = resolver.attempt(step, await resolver.place(step.op, step.owner, step));
  await sequence.send(withUnknown(attempt, names[step.pick % names.length]?.param ?? ''));
}

/** All of the path belongs to the other account, or its last part below a resource of the caller. */
async function callForeign(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const names = pathNamesOf(step.op);
  const level = step.pick % names.length;
  const other = step.owner === 'A' ? 'B' : 'A';
  const theirs = await resolver.place(step.op, other, step);
  const { param = '' } = names[level] ?? {};
  if (sequence.known.ownerOf(theirs.params[param] ?? '') !== other) return; // a Spark of a kindling
  const ours = level === 0 ? theirs : await resolver.place(step.op, step.owner, step);
  const vat = level > 0 || step.withForeignVat ? ours.vat : anyToken(step.owner, sequence);
  const before = await viewOf(step.op, theirs, other, sequence, resolver);
  const attempt = resolver.attempt(step, { params: joined(step.op, ours, theirs, level), vat });
  if (SHARED.has(step.op.name)) await sequence.send(attempt);
  else await assertLikeUnknown(attempt, param, 'of the other account', sequence);
  assertUnchanged(step.op, before, await viewOf(step.op, theirs, other, sequence, resolver));
}

function anyToken(owner: Owner, { known }: Sequence): string | undefined {
  return known.find(owner, ['vat'])[0]?.values['vat'];
}

async function callMisplaced(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const names = pathNamesOf(step.op);
  const level = 1 + (step.pick % (names.length - 1));
  const child = await resolver.place(step.op, step.owner, step);
  const parent = await resolver.placeBeside(child, level, step);
  const place = { params: joined(step.op, parent, child, level), vat: parent.vat };
  await assertLikeUnknown(
    resolver.attempt(step, place),
    names[level]?.param ?? '',
    'below another parent',
    sequence,
  );
}

/** The parameters of one place up to a level, and those of another from there on. */
function joined(op: PublicOperation, upper: Place, lower: Place, level: number): Place['params'] {
  const names = pathNamesOf(op).map(({ param }) => param);
  const chosen = names.map((param, index) => [param, (index < level ? upper : lower).params[param] ?? '']);
  return { ...upper.params, ...Object.fromEntries(chosen) };
}

async function callDeleted(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const names = pathNamesOf(step.op);
  const place = await resolver.place(step.op, step.owner, step);
  const levels = names.map((_, index) => index).filter((index) => endingOf(step.op, index) !== undefined);
  const level = levels[step.pick % levels.length] ?? 0;
  const ending = endingOf(step.op, level) as PublicOperation;
  const params = Object.fromEntries(
    pathNamesOf(ending).map(({ param }, index) => [param, place.params[names[index]?.param ?? ''] ?? '']),
  );
  const vat = ending.access.vat
    ? (place.vat ?? (await resolver.token(step.owner, params['vault_id'] ?? '')))
    : undefined;
  const credential = ending.access.credential === 'session' ? 'session' : 'key';
  const deletion = {
    owner: step.owner,
    via: step.via,
    credential,
    op: ending,
    parts: { params },
    vat,
  } as const;
  if (!isSuccess(await sequence.send(deletion))) return;
  const { param = '', name = '' } = names[level] ?? {};
  const attempt = resolver.attempt(step, place);
  if (
    isKept(step.op, name) ||
    ending.name === step.op.name ||
    sequence.known.stateOf(place.params[param]) !== 'ended'
  )
    await sequence.send(attempt);
  else await assertLikeUnknown(attempt, param, 'after its deletion', sequence);
}

/** With a token of another vault of the caller, or of one of the other account. */
async function callWithTokenOfOther(
  step: CallStep,
  sequence: Sequence,
  resolver: CallResolver,
): Promise<void> {
  const place = await resolver.place(step.op, step.owner, step);
  const other = step.owner === 'A' ? 'B' : 'A';
  const beside = step.withForeignVat
    ? await resolver.place(step.op, other, step)
    : await resolver.placeBeside(place, 1, step);
  await sequence.send(resolver.attempt(step, { ...place, vat: beside.vat }));
}

async function callWithEndedToken(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const place = await resolver.place(step.op, step.owner, step);
  const parts = { params: { vault_id: place.params['vault_id'] ?? '' } };
  const seal = {
    owner: step.owner,
    via: step.via,
    credential: 'key',
    op: sealVault,
    parts,
    vat: undefined,
  } as const;
  if (isSuccess(await sequence.send(seal))) await sequence.send(resolver.attempt(step, place));
}

/** A key that was used before its revocation: no cache keeps it valid (KEY-15). */
async function callWithRevokedKey(step: CallStep, sequence: Sequence, resolver: CallResolver): Promise<void> {
  const { owner } = step;
  const parts = { body: { name: 'of a sequence' } };
  const made = await sequence.send({
    owner,
    via: 'http',
    credential: 'key',
    op: createApiKey,
    parts,
    vat: undefined,
  });
  if (!isSuccess(made)) return;
  const { api_key: key, api_key_id } = made.data as { api_key: string; api_key_id: string };
  const place = await resolver.place(step.op, owner, step);
  const attempt: Attempt = { ...resolver.attempt(step, place), via: 'http', credential: { key } };
  await sequence.send(attempt);
  const revocation = { params: { api_key_id } };
  await sequence.send({
    owner,
    via: step.via,
    credential: 'key',
    op: revokeApiKey,
    parts: revocation,
    vat: undefined,
  });
  await sequence.send(attempt);
}

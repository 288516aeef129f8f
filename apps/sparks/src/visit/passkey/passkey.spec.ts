import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AccountContext } from '@vaultsvc/contracts';
import {
  findPasskeys,
  startPasskey,
  verifyPasskey,
  type PasskeyAnswer,
  type PasskeyOptions,
} from '@vaultsvc/contracts/sparks';
import { DataKeys, permanent } from '@vaultsvc/crypto/data-keys';
import { mac } from '@vaultsvc/crypto/mac';
import { Database } from '@vaultsvc/database';
import {
  accountContext,
  internalContext,
  outboxEvents,
  reasonOf,
  stopSchedule,
} from '@vaultsvc/testing/harness';
import { PurgeVerifications } from '../verification/purge-verifications.job.js';
import { grantsOf, type Grant } from '../../testing/grants.js';
import { usePlatform } from '../../testing/platform.js';
import {
  SoftwareAuthenticator,
  type AuthenticatorOptions,
} from '@vaultsvc/tools-testing/software-authenticator';
import { visitContext } from '../../testing/visits.js';
import { PasskeyRepository, type Passkey, type PasskeySubject } from './passkey.repository.js';
import { PasskeySubjects } from './passkey-subjects.js';

const ORIGIN = 'http://localhost:8082';
const platform = usePlatform({ LOG_LEVEL: 'silent', LINK_ORIGIN: ORIGIN });
beforeAll(async () => {
  await stopSchedule(platform.service);
});

let people = 0;
/** Grants of level passkey for one person, by a new account. */
async function granted(count = 1, identity = `person-${people++}@example.test`) {
  const caller = accountContext();
  const grants = grantsOf(platform, caller);
  const minted: Grant[] = [];
  for (let index = 0; index < count; index++)
    minted.push(...(await grants.minted([identity], { verification_level: 'passkey' })));
  return { grants, caller, links: minted as [Grant, Grant, Grant] };
}
type Grants = ReturnType<typeof grantsOf>;

const options = ({ code }: Grant, verification_token?: string): Promise<PasskeyOptions> => {
  const body = verification_token === undefined ? {} : { verification_token };
  return platform.harness.bus.call(startPasskey, { params: { link_code: code }, body }, visitContext());
};
const verify = ({ code }: Grant, response: PasskeyAnswer['response']) =>
  platform.harness.bus.call(
    verifyPasskey,
    { params: { link_code: code }, body: { response } },
    visitContext(),
  );
const newDevice = (step?: number) => new SoftwareAuthenticator(ORIGIN, step);
/** Enrolls a passkey by a code, and returns the token. */
async function enroll(grants: Grants, grant: Grant, device: SoftwareAuthenticator): Promise<string> {
  const offered = await options(grant, await grants.verify(grant));
  return (await verify(grant, device.create(offered))).verification_token;
}
const authenticate = async (grant: Grant, device: SoftwareAuthenticator) =>
  (await verify(grant, device.get(await options(grant)))).verification_token;
const refusalOf = async (grant: Grant, device: SoftwareAuthenticator, how: AuthenticatorOptions = {}) =>
  reasonOf(verify(grant, device.get(await options(grant), how)));
/** Those of the identities that have a passkey. */
async function findEnrolled({ credential }: AccountContext, identities: string[]): Promise<string[]> {
  const body = { account_id: credential.accountId, identities };
  const context = internalContext();
  return (await platform.harness.bus.call(findPasskeys, { body }, context)).identities;
}

describe('a passkey', () => {
  it('NTF-08 OPEN-64: is enrolled after a code, and opens this link and later ones of the account', async () => {
    const { grants, links } = await granted(2);
    const device = newDevice();
    const token = await enroll(grants, links[0], device);
    expect(await grants.visits.open(links[0].code, { verification_token: token })).toMatchObject({
      payload: 'for you',
    });
    const again = await authenticate(links[1], device);
    expect(await grants.visits.open(links[1].code, { verification_token: again })).toMatchObject({
      payload: 'for you',
    });
    const [reveal] = await outboxEvents(
      platform.service,
      { link_id: links[1].link_id },
      { name: ['sparks.grant-revealed'], columns: ['payload'] },
    );
    expect(reveal?.payload).toMatchObject({ verification_level: 'passkey', verified_by: links[1].identity });
  });

  it.each([
    ['x@bücher.test', 'x@xn--bcher-kva.test'],
    ['x@xn--bcher-kva.test', 'x@bücher.test'],
  ])('OPEN-59 OPEN-64: of %s opens a link for %s', async (one, other) => {
    const { grants, caller, links } = await granted(1, one);
    const device = newDevice();
    await enroll(grants, links[0], device);
    const [later] = await grants.minted([other], { verification_level: 'passkey' });
    expect(await authenticate(later as Grant, device)).toEqual(expect.any(String));
    expect(await findEnrolled(caller, [other, 'y@bücher.test'])).toEqual([other]);
  });

  it('OPEN-64: that was enrolled under the former key of its identity opens links still', async () => {
    const { grants, caller, links } = await granted(1, 'x@bücher.test');
    const device = newDevice();
    await enroll(grants, links[0], device);
    const keys = platform.service.context.get(DataKeys);
    const former = await keys.current('passkeys', permanent, (key) =>
      mac(key, 'vk/v1/passkey-subject', caller.credential.accountId, 'x@bücher.test'),
    );
    await platform.sql('UPDATE passkeys SET identity_mac = $1 WHERE account_id = $2', [
      former,
      caller.credential.accountId,
    ]);
    expect(await findEnrolled(caller, ['x@xn--bcher-kva.test'])).toEqual(['x@xn--bcher-kva.test']);
    const [later] = await grants.minted(['x@xn--bcher-kva.test'], { verification_level: 'passkey' });
    expect(await authenticate(later as Grant, device)).toEqual(expect.any(String));
  });

  it('OPEN-64: is found by the identity, whatever its case, for the account whose link enrolled it', async () => {
    const { grants, caller, links } = await granted(1, 'Enrolled@example.test');
    const asked = ['nobody@example.test', 'enrolled@example.test'];
    const found = (context: AccountContext) => findEnrolled(context, asked);
    expect(await found(caller)).toEqual([]);
    await enroll(grants, links[0], newDevice());
    expect(await found(caller)).toEqual(['enrolled@example.test']);
    expect(await found(accountContext())).toEqual([]);
  });

  it('OPEN-64: is asked for with user verification, discoverable, for the host of the link origin', async () => {
    const { grants, links } = await granted();
    const enrollment = await options(links[0], await grants.verify(links[0]));
    expect(enrollment).toMatchObject({
      type: 'registration',
      options: {
        rp: { id: 'localhost' },
        user: { name: links[0].identity },
        attestation: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      },
    });
    expect(await options(links[0])).toMatchObject({
      type: 'authentication',
      options: { rpId: 'localhost', userVerification: 'required' },
    });
    expect(Math.abs(enrollment.expires_at - Date.now() / 1_000 - 300)).toBeLessThan(30);
  });

  it('OPEN-25: is not shown to strangers, nor who is invited', async () => {
    const { grants, links } = await granted(2);
    const shape = async (grant: Grant) => {
      const { options: shown, type } = await options(grant);
      return { type, options: { ...shown, challenge: 'random' } };
    };
    const before = await shape(links[0]);
    expect(JSON.stringify(before)).not.toContain('person');
    await enroll(grants, links[0], newDevice());
    expect(await shape(links[0])).toEqual(before);
    expect(await shape(links[1])).toEqual(before);
    expect(before.options).toMatchObject({ allowCredentials: [] });
  });

  it('OPEN-64: is enrolled with the token of a code for this link only', async () => {
    const { grants, links } = await granted(2);
    const foreign = await grants.verify(links[1]);
    const verification = { methods: ['passkey'], enrollment: ['email'] };
    for (const token of [foreign, 'x', ''])
      await expect(options(links[0], token)).rejects.toMatchObject({
        reason: 'LINK_VERIFICATION_REQUIRED',
        details: { verification },
      });
  });

  it('OPEN-64: is not replaced by a code: with one, the options name the existing passkey', async () => {
    const { grants, links } = await granted();
    const [first, second] = [newDevice(), newDevice()];
    const early = await options(links[0], await grants.verify(links[0]));
    await enroll(grants, links[0], first);
    expect(await reasonOf(verify(links[0], second.create(early)))).toBe('PASSKEY_REFUSED');
    const late = await options(links[0], await grants.verify(links[0]));
    expect(late).toMatchObject({
      type: 'authentication',
      options: { allowCredentials: [{ id: expect.any(String) }] },
    });
    expect(await reasonOf(verify(links[0], second.get(late)))).toBe('PASSKEY_REFUSED');
    expect(await reasonOf(verify(links[0], first.get(await options(links[0]))))).toBe('none');
  });

  it('OPEN-64: is of one account and one identity', async () => {
    const one = await granted(1, 'same@example.test');
    const other = await granted(1, 'same@example.test');
    const [stranger] = await one.grants.minted(['other@example.test'], { verification_level: 'passkey' });
    const device = newDevice();
    await enroll(one.grants, one.links[0], device);
    expect(await refusalOf(other.links[0], device)).toBe('PASSKEY_REFUSED');
    expect(await refusalOf(stranger, device)).toBe('PASSKEY_REFUSED');
    expect(await refusalOf(one.links[0], device)).toBe('none');
    const offered = await options(other.links[0], await other.grants.verify(other.links[0]));
    expect(await reasonOf(verify(other.links[0], device.create(offered)))).toBe('PASSKEY_REFUSED');
  });

  it('OPEN-64: is found by its own identity, and only that and its credential advance its counter', async () => {
    const { grants, caller, links } = await granted();
    await enroll(grants, links[0], newDevice());
    const { context } = platform.service;
    const passkeys = context.get(PasskeyRepository);
    const identities = [links[0].identity as string, 'other@example.test'];
    const [own, other] = (await context.get(PasskeySubjects).of(caller.credential.accountId, identities)) as [
      PasskeySubject,
      PasskeySubject,
    ];
    const stored = (await passkeys.find(own)) as Passkey;
    expect([stored.counter, await passkeys.find(other)]).toEqual([1, undefined]);
    const advance = (subject: PasskeySubject, credentialId = stored.credentialId) =>
      passkeys.advance(context.get(Database), subject, { ...stored, credentialId, counter: 9 });
    expect([await advance(other), await advance(own, Buffer.alloc(16))]).toEqual([false, false]);
    expect(await passkeys.find(own)).toEqual(stored);
    expect([await advance(own), await advance(own)]).toEqual([true, false]);
  });

  it('OPEN-25: is stored without the identity in clear', async () => {
    const { grants, links } = await granted();
    await enroll(grants, links[0], newDevice());
    const rows = await platform.sql(
      `SELECT p::text AS text FROM passkeys p UNION ALL SELECT v::text FROM verifications v`,
    );
    const hex = Buffer.from(links[0].identity as string).toString('hex');
    for (const { text } of rows as { text: string }[]) {
      expect(text).not.toContain(links[0].identity);
      expect(text).not.toContain(hex);
    }
  });
});

describe('an answer of a passkey', () => {
  it.each<[string, AuthenticatorOptions]>([
    ['of another origin', { origin: 'http://localhost:8083' }],
    ['for another relying party', { rpId: 'example.test' }],
    ['without user verification', { isUserVerified: false }],
    ['of another ceremony', { type: 'webauthn.create' }],
    ['with a wrong signature', { isForged: true }],
  ])('OPEN-64: is refused %s', async (_, how) => {
    const { grants, links } = await granted();
    const device = newDevice();
    await enroll(grants, links[0], device);
    expect(await refusalOf(links[0], device, how)).toBe('PASSKEY_REFUSED');
    expect(await refusalOf(links[0], device)).toBe('none');
  });

  it('OPEN-64: is accepted once, also by twenty concurrent calls, and for its link only', async () => {
    const { grants, links } = await granted(2);
    const device = newDevice(0); // Without a counter, so that the challenge alone decides.
    await enroll(grants, links[0], device);
    const answer = device.get(await options(links[0]));
    expect(await reasonOf(verify(links[1], answer))).toBe('PASSKEY_REFUSED');
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => reasonOf(verify(links[0], answer))));
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['none', 'PASSKEY_REFUSED']));
  });

  it('OPEN-64: is refused after five minutes, when its challenge is deleted', async () => {
    const { grants, links } = await granted();
    const device = newDevice();
    await enroll(grants, links[0], device);
    const answer = device.get(await options(links[0]));
    await platform.sql(`UPDATE passkey_challenges SET expires_at = now() WHERE link_id = $1`, [
      links[0].link_id,
    ]);
    expect(await reasonOf(verify(links[0], answer))).toBe('PASSKEY_REFUSED');
    await platform.service.context.get(PurgeVerifications).run();
    expect(
      await platform.sql(`SELECT 1 FROM passkey_challenges WHERE link_id = $1`, [links[0].link_id]),
    ).toEqual([]);
  });

  it('OPEN-64: is refused with a counter that was seen before, by which a copied passkey shows', async () => {
    const { grants, links } = await granted();
    const device = newDevice();
    await enroll(grants, links[0], device);
    await authenticate(links[0], device);
    device.counter -= 1;
    expect(await refusalOf(links[0], device)).toBe('PASSKEY_REFUSED');
    expect(await refusalOf(links[0], device)).toBe('none');
  });

  it('OPEN-64: advances the counter once for concurrent answers with the same counter', async () => {
    const { grants, links } = await granted();
    const device = newDevice();
    await enroll(grants, links[0], device);
    const challenges = await Promise.all(Array.from({ length: 10 }, () => options(links[0])));
    const { counter } = device;
    const answers = challenges.map((offered) => {
      device.counter = counter;
      return device.get(offered);
    });
    const outcomes = await Promise.all(answers.map((answer) => reasonOf(verify(links[0], answer))));
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
  });

  it('OPEN-64: enrolls one of several passkeys at the same moment', async () => {
    const { grants, links } = await granted();
    const token = await grants.verify(links[0]);
    const offers = await Promise.all(Array.from({ length: 10 }, () => options(links[0], token)));
    const outcomes = await Promise.all(
      offers.map((offered) => reasonOf(verify(links[0], newDevice().create(offered)))),
    );
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['none', 'PASSKEY_REFUSED']));
  });

  it('OPEN-64: is refused when it is malformed', async () => {
    const { links } = await granted();
    const { options: shown } = await options(links[0]);
    const client = (data: unknown) => Buffer.from(JSON.stringify(data)).toString('base64url');
    const valid = client({ type: 'webauthn.get', challenge: shown['challenge'], origin: ORIGIN });
    const malformed: PasskeyAnswer['response'][] = [
      {},
      { response: null },
      { response: { clientDataJSON: 7 } },
      { response: { clientDataJSON: 'x' } },
      { response: { clientDataJSON: client(null) } },
      { response: { clientDataJSON: client({ challenge: 'AAAA' }) } },
      { id: 'x', response: { clientDataJSON: valid } },
    ];
    for (const response of malformed)
      expect(await reasonOf(verify(links[0], response))).toBe('PASSKEY_REFUSED');
  });

  it('OPEN-64: is refused as an enrollment when it is malformed', async () => {
    const { grants, links } = await granted();
    const token = await grants.verify(links[0]);
    const answers: ((offered: PasskeyOptions) => PasskeyAnswer['response'])[] = [
      (offered) => newDevice().get({ ...offered, options: { ...offered.options, rpId: 'localhost' } }),
      (offered) => newDevice().create(offered, { isUserVerified: false }),
      (offered) => newDevice().create(offered, { origin: 'http://127.0.0.1:8082' }),
      (offered) => ({ ...newDevice().create(offered), id: 'AAAA' }),
    ];
    for (const answer of answers)
      expect(await reasonOf(verify(links[0], answer(await options(links[0], token))))).toBe(
        'PASSKEY_REFUSED',
      );
    expect(await options(links[0], token)).toMatchObject({ type: 'registration' });
  });
});

describe('the operations of passkeys', () => {
  it('NTF-08: refuse links of other levels', async () => {
    const grants = grantsOf(platform, accountContext());
    const [open] = await grants.minted([null]);
    const [coded] = await grants.minted(['ann@example.test'], { verification_level: 'out_of_band' });
    for (const grant of [open, coded]) {
      expect(await reasonOf(options(grant))).toBe('VALIDATION_ERROR');
      expect(await reasonOf(verify(grant, {}))).toBe('VALIDATION_ERROR');
    }
  });

  it('LNK-15: refuse ended links', async () => {
    const { links } = await granted();
    await platform.sql(`UPDATE sparklinks SET expires_at = now() WHERE id = $1`, [links[0].link_id]);
    expect(await reasonOf(options(links[0]))).toBe('LINK_EXPIRED');
    expect(await reasonOf(verify(links[0], {}))).toBe('LINK_EXPIRED');
  });
});

describe('an installation whose link origin is an IP address', () => {
  const installation = usePlatform({ LOG_LEVEL: 'silent', LINK_ORIGIN: 'http://127.0.0.1:8082' });

  it('OPEN-64: answers that passkeys are unavailable', async () => {
    const grants = grantsOf(installation, accountContext());
    const [grant] = await grants.minted(['ann@example.test'], { verification_level: 'passkey' });
    const call = { params: { link_code: grant.code }, body: {} };
    expect(await reasonOf(installation.harness.bus.call(startPasskey, call, visitContext()))).toBe(
      'PASSKEYS_UNAVAILABLE',
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { Email, HttpsUrl, Identity, IdentityList } from './contact-fields.js';
import { decode } from './decode.js';
import type { AppError } from './errors.js';
import { schemaOf } from './schema.js';

class WithEmail {
  @Email() email: string;
}
class WithIdentity {
  @Identity() identity: string;
}
class WithIdentities {
  @IdentityList({ maxItems: 2 }) invites: string[];
}
class WithUrl {
  @HttpsUrl() url: string;
}
class Optional {
  @Email({ optional: true, nullable: true, description: 'an address' }) email?: string | null;
  @IdentityList({ optional: true, maxItems: 3 }) invites?: string[];
}

const ADDRESS =
  'must be an e-mail address such as ann@example.com: at a host name, with 64 octets before the @ at most, and no dot at their ends or beside another';
const NUMBER = 'must be an e-mail address or an E.164 phone number such as +4930123456';
const WELL_FORMED = 'must be a string of well-formed Unicode';

/** The problems of a value; none if it is accepted. */
function problemsOf<T extends object>(type: new () => T, value: object): string[] {
  try {
    decode(type, value);
    return [];
  } catch (error) {
    const { fields } = (error as AppError).details as { fields: { message: string }[] };
    return fields.map(({ message }) => message);
  }
}

describe('OPEN-59 ENV-20: a field for an address', () => {
  it('is described by its format and 254 characters', () => {
    expect(schemaOf(WithEmail)).toEqual({
      type: 'object',
      properties: { email: { type: 'string', format: 'email', maxLength: 254 } },
      required: ['email'],
    });
  });

  it.each([
    ['ann@example.com', []],
    ['ann', [`email ${ADDRESS}`]],
    ['+4930123456', [`email ${ADDRESS}`]],
    ['', [`email ${ADDRESS}`]],
  ])('with %j has the problems %j', (email, problems) => {
    expect(problemsOf(WithEmail, { email })).toEqual(problems);
  });

  it.each([5, null, ['ann@example.com'], '\ud800@x.test'])('refuses %j, which is no text', (email) => {
    expect(problemsOf(WithEmail, { email })).toEqual([`email ${WELL_FORMED}`]);
  });

  it('may be absent or null, if the contract says so', () => {
    expect(problemsOf(Optional, {})).toEqual([]);
    expect(problemsOf(Optional, { email: null })).toEqual([]);
    expect(schemaOf(Optional).properties?.['email']).toMatchObject({
      type: ['string', 'null'],
      description: 'an address',
    });
  });
});

describe('SHR-14 ENV-20: a field for the identity of a person without an account', () => {
  it('is described by 254 characters', () => {
    expect(schemaOf(WithIdentity).properties).toEqual({ identity: { type: 'string', maxLength: 254 } });
  });

  it.each([
    ['ann@example.com', []],
    ['+4930123456', []],
    ['ann@x', [`identity ${ADDRESS}`]],
    ['0049301234', [`identity ${NUMBER}`]],
    ['', [`identity ${NUMBER}`]],
  ])('with %j has the problems %j', (identity, problems) => {
    expect(problemsOf(WithIdentity, { identity })).toEqual(problems);
  });

  it.each([5, null, ['ann@example.com']])('refuses %j, which is no text', (identity) => {
    expect(problemsOf(WithIdentity, { identity })).toEqual([`identity ${WELL_FORMED}`]);
  });
});

describe('SHR-14 ENV-20: a field for several identities', () => {
  const mixed = 'invites must hold e-mail addresses or E.164 phone numbers';

  it('is described by the number of its items and their length', () => {
    expect(schemaOf(WithIdentities).properties).toEqual({
      invites: { type: 'array', maxItems: 2, items: { type: 'string', maxLength: 254 } },
    });
  });

  it.each([
    [[], []],
    [['ann@example.com', '+4930123456'], []],
    [['ann@example.com', 'bob@x'], [`invites must hold identities; each address ${ADDRESS}`]],
    [['ann@example.com', '0049301234'], [mixed]],
    [[5], [mixed]],
    [[null, 'bob@x'], [mixed]],
    [['a@x.test', 'b@x.test', 'c@x.test'], ['invites must hold at most 2']],
  ])('with %j has the problems %j', (invites, problems) => {
    expect(problemsOf(WithIdentities, { invites })).toEqual(problems);
  });

  it.each(['ann@example.com', 5, null, {}])('refuses %j, which is no list', (invites) => {
    expect(problemsOf(WithIdentities, { invites })).toContain('invites must be an array');
  });

  it('may be absent, if the contract says so', () => {
    expect(schemaOf(WithIdentities).required).toEqual(['invites']);
    expect(schemaOf(Optional).required).toBeUndefined();
  });
});

describe('ENV-20: a field for an https URL', () => {
  const problem = 'url must be an https URL of at most 2048 characters';
  const long = (length: number) => 'https://x.test/'.padEnd(length, 'a');

  it('is described by its format and 2,048 characters', () => {
    expect(schemaOf(WithUrl).properties).toEqual({
      url: { type: 'string', format: 'uri', maxLength: 2_048 },
    });
  });

  it.each([
    'https://x.test',
    'https://x.test:8443/a?b=c#d',
    'HTTPS://X.test',
    'https://exämple.test/ü',
    long(2_048),
  ])('accepts %s', (url) => expect(problemsOf(WithUrl, { url })).toEqual([]));

  it.each([
    '',
    'x.test',
    '/path',
    'https://',
    'http://x.test',
    'javascript:alert(1)',
    'https://ann@x.test',
    'https://:secret@x.test',
    'https://ann:secret@x.test',
    'https://x.test/a b',
    ' https://x.test',
    'https://x.test\n',
    'https://x.test/\u200b',
    'https://x.test/\u0000',
    long(2_049),
  ])('refuses %j', (url) => expect(problemsOf(WithUrl, { url })).toEqual([problem]));

  it.each([5, null, ['https://x.test'], 'https://x.test/\ud800'])('refuses %j, which is no text', (url) => {
    expect(problemsOf(WithUrl, { url })).toEqual([`url ${WELL_FORMED}`]);
  });
});

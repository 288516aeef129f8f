import { describe, expect, it } from '@jest/globals';
import { fieldsOf, undeclaredNames, type Class, type PublicOperation } from '../index.js';
import { operations } from './index.js';

/** An object in the input of an operation: its query, its body, or an object in that. */
interface Place {
  readonly operation: PublicOperation;
  readonly path: readonly string[];
  readonly type: Class;
}

const calls = operations.filter(({ access }) => access.provider === undefined);
const places = calls.flatMap((operation) => [
  ...(operation.query ? [{ operation, path: ['query'], type: operation.query }] : []),
  ...(operation.body ? placesIn(operation, ['body'], operation.body) : []),
]);

function placesIn(operation: PublicOperation, path: readonly string[], type: Class): Place[] {
  const nested = [...fieldsOf(type)].flatMap(([name, field]) => {
    const isList = [field.schema.type].flat()[0] === 'array';
    return field.nested ? placesIn(operation, [...path, isList ? `${name}[]` : name], field.nested()) : [];
  });
  return [{ operation, path, type }, ...nested];
}

/** The problems of a call whose input has these names at a place. */
function misspelledIn({ operation, path }: Place, names: readonly string[]) {
  const [part, ...steps] = path;
  const members = Object.fromEntries(names.map((name) => [name, 'x']));
  if (part === 'query') return undeclaredNames(operation, new URLSearchParams(members), undefined).misspelled;
  const body = steps.reduceRight<object>(
    (inner, step) => (step.endsWith('[]') ? { [step.slice(0, -2)]: [inner] } : { [step]: inner }),
    members,
  );
  return undeclaredNames(operation, new URLSearchParams(), body).misspelled;
}

/** Misspellings of a name that differ in one edit, or in case and separators. */
function misspellingsOf(name: string): string[] {
  const edits = [...name].flatMap((letter, at) => {
    if (letter === '_') return [];
    const [before, after] = [name.slice(0, at), name.slice(at + 1)];
    return [before + after, before + letter + letter + after, `${before}#${after}`];
  });
  const camel = name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  const cased = [name.toUpperCase(), camel, name.replaceAll('_', '-'), name.replaceAll('_', ''), `${name}_`];
  const letters = name.replaceAll('_', '').length;
  return [...new Set([...cased, ...(letters >= 4 ? edits : [])])].filter((each) => each !== name);
}

const placeOf = (name: string, path: string) => {
  const found = places.find((place) => place.operation.name === name && place.path.join('.') === path);
  if (!found) throw new Error(`${name} has no ${path}`);
  return found;
};

describe('AMB-51: The fields of the API', () => {
  it.each([
    ['sparks.create', 'body', 'ttl_minutes kindling with_kindling bound_ip'],
    ['sparks.share', 'body', 'visibility invites expires_in_seconds'],
    ['sparks.open-link', 'body', 'describe confirmed verification_token'],
    ['vaults.update-sharing', 'body', 'shared visibility invites'],
    ['vaults.create-ingot-link', 'body', 'expires_in_seconds'],
    ['vaults.create-dvak', 'body', 'access_level authorized_user_id dvak_type'],
    ['vaults.unseal', 'body', 'ttl_seconds'],
    ['vaults.update', 'body', 'public_file_sharing'],
    ['vaults.replace-ingot', 'body', 'expected_updated_at'],
    ['vaults.create-ingot', 'body', 'folder_id folder_path'],
    ['vaults.create-folder', 'body', 'parent_id'],
    ['vaults.update-structured', 'body', 'set delete'],
    ['vaults.read-structured', 'query', 'keys ttl'],
    ['vaults.search-ingots', 'query', 'file_type min_size max_size'],
    ['auth.create-api-key', 'body', 'expires_in_days'],
    ['auth.invite-user', 'body', 'role seat'],
    ['auth.update-user', 'body', 'role seat'],
    ['notify.send', 'body', 'policy channels escalation category history_ttl_days send_id'],
    ['notify.send', 'body.policy', 'verification_level interaction reveal_freshness_minutes'],
    ['notify.send', 'body.content', 'ttl_minutes'],
    ['notify.put-config', 'body.security', 'mandatory_seal_categories'],
    ['notify.put-config', 'body.targets.webhook', 'secret'],
    ['notify.put-preferences', 'body', 'channels_off categories_off quiet_hours'],
    ['notify.put-preferences', 'body.categories_off[]', 'channel'],
    ['notify.set-mail-preferences', 'body', 'unsubscribed all_mails_off categories quiet_hours'],
    ['notify.interact', 'body', 'action_hash'],
    ['reporting.export-audit', 'query', 'from to from_size'],
    ['reporting.adjust-subscription', 'body', 'cancel_at_period_end'],
  ])(
    '%s refuses misspelled names in its %s, where absent ones widen access: %s',
    (operation, path, names) => {
      const place = placeOf(operation, path);
      for (const name of names.split(' ')) {
        expect(fieldsOf(place.type).has(name)).toBe(true);
        for (const given of misspellingsOf(name))
          expect([given, misspelledIn(place, [given])]).toEqual([
            given,
            [
              {
                field: expect.stringContaining(given),
                message: expect.stringMatching(/^did you mean \w+\?$/),
              },
            ],
          ]);
      }
    },
  );

  it.each([
    ['sparks.share', 'body', 'visibilty', 'visibility'],
    ['sparks.create', 'body', 'ttl_minute', 'ttl_minutes'],
    ['sparks.create', 'body', 'bound-ip', 'bound_ip'],
    ['vaults.create-dvak', 'body', 'acces_level', 'access_level'],
    ['vaults.list', 'query', 'statsu', 'status'],
    ['notify.send', 'body.policy', 'verificationLevel', 'verification_level'],
  ])('of %s: its %s may not have %s, which names %s', (operation, path, given, meant) => {
    expect(misspelledIn(placeOf(operation, path), [given])).toMatchObject([
      { message: `did you mean ${meant}?` },
    ]);
  });

  it('are refused in no place where they are declared, alone and together', () => {
    for (const place of places) {
      const names = [...fieldsOf(place.type).keys()];
      expect([place.operation.name, place.path, misspelledIn(place, names)]).toEqual([
        place.operation.name,
        place.path,
        [],
      ]);
    }
  });

  it('have misspellings that are refused everywhere, unless another field of the operation has that name', () => {
    for (const place of places.filter(
      ({ operation, path }) => !(operation.isQueryOpen && path[0] === 'query'),
    )) {
      const declared = new Set(
        places
          .filter(({ operation }) => operation === place.operation)
          .flatMap(({ type }) => [...fieldsOf(type).keys()]),
      );
      for (const name of fieldsOf(place.type).keys())
        for (const given of misspellingsOf(name))
          if (!declared.has(given))
            expect([place.operation.name, given, misspelledIn(place, [given]).length]).toEqual([
              place.operation.name,
              given,
              1,
            ]);
    }
  });

  it('are distinct without case, - and _ in each place', () => {
    for (const { operation, type } of places) {
      const folded = [...fieldsOf(type).keys()].map((name) => name.toLowerCase().replace(/[-_]/g, ''));
      expect([operation.name, new Set(folded).size]).toEqual([operation.name, folded.length]);
    }
  });

  it('are near none of the fields of the same path that are read: what was read may be changed and sent back', () => {
    const isChange = ({ http }: PublicOperation) => http.method === 'PUT' || http.method === 'PATCH';
    const changes = places.filter(({ operation, path }) => isChange(operation) && path.join('.') === 'body');
    expect(changes.length).toBeGreaterThan(5);
    for (const place of changes) {
      const read = calls.filter(
        ({ http }) => http.method === 'GET' && http.path === place.operation.http.path,
      );
      const names = read.flatMap(({ reply }) => (reply ? [...fieldsOf(reply).keys()] : []));
      expect([place.operation.name, misspelledIn(place, names)]).toEqual([place.operation.name, []]);
    }
  });

  it('are near none of the parameters that mail programs and identity providers append', () => {
    const appended =
      'utm_source utm_medium utm_campaign utm_term utm_content gclid fbclid mc_cid mc_eid _hsenc _hsmi _ga authuser prompt hd session_state iss error error_description';
    for (const place of places.filter(({ path }) => path[0] === 'query'))
      expect([place.operation.name, misspelledIn(place, appended.split(' '))]).toEqual([
        place.operation.name,
        [],
      ]);
  });
});

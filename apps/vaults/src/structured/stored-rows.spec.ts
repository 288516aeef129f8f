import { beforeAll, describe, expect, it } from '@jest/globals';
import { AppError } from '@vaultsvc/contracts';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database, type Transaction } from '@vaultsvc/database';
import { reasonOf } from '@vaultsvc/testing/harness';
import { found } from '@vaultsvc/testing/servers';
import { usePlatform } from '../testing/platform.js';
import { newStructuredFixture, type StructuredFixture } from '../testing/structured.js';
import { StructuredFinder } from './structured-finder.js';
import { StructuredValueRepository } from './structured-value.repository.js';
import { StructuredRepository } from './structured.repository.js';

const platform = usePlatform({ LOG_LEVEL: 'silent' });
let fixture: StructuredFixture;
beforeAll(async () => {
  fixture = await newStructuredFixture(platform);
});

/** The text itself, in hex, and in base64 at each of the three possible offsets. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const base64 = [0, 1, 2].map((before) =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1, -4),
  );
  return [text, bytes.toString('hex'), ...base64];
}

/** Every row of every table of the service; bytes as they are and as PostgreSQL writes them. */
async function dump(): Promise<string> {
  const tables = await platform.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const rows = await platform.sql(`SELECT t.*, t::text AS written FROM "${name}" t`);
    for (const value of rows.flatMap((row) => Object.values(row)))
      texts.push(Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value));
  }
  return texts.join('\n');
}

describe('the rows of a structured ingot', () => {
  it('STR-09 STR-12 VLT-26: contain no key name and no value in any encoding', async () => {
    const secrets = ['STRIPE_LIVE_KEY_of_canary', 'value-of-canary-47110815', 'deep-in-the-json-canary'];
    const [key, value, deep] = secrets as [string, string, string];
    const name = newId('canary_');
    const { ingot_id } = await fixture.create(
      { [key]: value, [`${key}_2`]: { [`${deep}_name`]: [deep] } },
      name,
    );
    await fixture.patch(ingot_id, {
      set: { [`${key}_3`]: value, [key]: `${value}-again` },
      delete: [`${key}_2`],
    });
    await fixture.create({ [key]: value, [deep]: true }, name);
    await fixture.describe(ingot_id);
    const text = await dump();
    expect(found(text, formsOf(name))).toContain(name);
    expect(found(text, secrets.flatMap(formsOf))).toEqual([]);
  });

  it('OPEN-19: are not quoted in errors', async () => {
    const { ingot_id } = await fixture.create({ a: 1 });
    const wrong = [
      () => fixture.patch(ingot_id, { set: { canary: 1 }, delete: ['canary'] }),
      () => fixture.patch(ingot_id, { set: { 'canary,': 1 } }),
      () => fixture.patch(ingot_id, { delete: ['canary'.repeat(50)] }),
      () => fixture.create({ canary: 'canary'.repeat(200_000) }),
      () => fixture.create({ canary: 2 ** 60 }),
    ];
    for (const call of wrong) {
      const error = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(AppError);
      const { message, details } = error as AppError;
      expect(JSON.stringify({ message, details })).not.toContain('canary');
    }
  });
});

const moved = `
  WITH gone AS (DELETE FROM structured_values WHERE ingot_id = $1)
  UPDATE structured_values SET ingot_id = $1 WHERE ingot_id = $2`;

describe('a tampered row', () => {
  const ofBoth = (column: string) => `
    UPDATE structured_values v SET ${column} = w.${column} FROM structured_values w
     WHERE v.ingot_id = $1 AND w.ingot_id = v.ingot_id AND w.blind <> v.blind`;
  const flipped = (column: string) => `
    UPDATE structured_values SET ${column} = set_byte(${column}, 20, get_byte(${column}, 20) # 1) WHERE ingot_id = $1`;
  const fromOther = (table: string, column: string) => `
    UPDATE ${table} t SET ${column} = o.${column} FROM ${table} o WHERE t.ingot_id = $1 AND o.ingot_id = $2`;
  const changes: [what: string, sql: string][] = [
    ['with the value of another key', ofBoth('sealed_value')],
    ['with the name of another key', ofBoth('sealed_name')],
    ['with a changed byte in its value', flipped('sealed_value')],
    ['with a changed byte in its name', flipped('sealed_name')],
    ['with a changed byte in its blind index', flipped('blind')],
    ['with another version', `UPDATE structured_values SET version = version + 1 WHERE ingot_id = $1`],
    [
      'with another content type',
      `UPDATE structured_values SET content_type = 'application/json' WHERE ingot_id = $1`,
    ],
    ['with the value of another ingot', fromOther('structured_values', 'sealed_value')],
    ['with the name of another ingot', fromOther('structured_values', 'sealed_name')],
    ['with the key of another ingot', fromOther('structured_ingots', 'wrapped_key')],
    ['that was moved to another ingot', moved],
  ];

  it.each(changes)('VLT-26: does not open: %s', async (_what, sql) => {
    const own = await newStructuredFixture(platform);
    const { ingot_id } = await own.create({ a: 'one', b: 'two' });
    const { ingot_id: other } = await own.create({ a: 'one', b: 'two' });
    await own.stored(ingot_id);
    await platform.sql(sql, sql.includes('$2') ? [ingot_id, other] : [ingot_id]);
    await expect(own.stored(ingot_id)).rejects.toThrow();
  });

  it('STR-09: makes the whole listing fail', async () => {
    const { ingot_id } = await fixture.create({ a: 'one', b: 'two' });
    await platform.sql(ofBoth('sealed_name'), [ingot_id]);
    expect(await reasonOf(fixture.describe(ingot_id))).toBe('INTERNAL_ERROR');
  });

  it('STR-06: does not open when it was restored from before an overwrite', async () => {
    const { ingot_id, name } = await fixture.create({ a: 'before' });
    await platform.sql(
      `CREATE TABLE before AS SELECT * FROM structured_values WHERE ingot_id = $1`.replace(
        '$1',
        `'${ingot_id}'`,
      ),
    );
    await fixture.create({ b: 'after' }, name);
    await platform.sql(`INSERT INTO structured_values SELECT * FROM before`);
    await expect(fixture.stored(ingot_id)).rejects.toThrow();
    await platform.sql(`DROP TABLE before`);
  });
});

/** An ingot, another one in its vault, and the statements that callers reach after they have found the ingot. */
async function foundIngot() {
  const own = await newStructuredFixture(platform);
  const { ingot_id: ingotId, name } = await own.create({ a: 'one' });
  const { ingot_id: other } = await own.create({ a: 'two' });
  const vault = { vaultId: own.vault_id, accountId: own.caller.credential.accountId };
  const { context } = platform.service;
  const find = () => context.get(StructuredFinder).find(vault, ingotId);
  const [value] = await platform.sql<{ blind: Buffer }>(
    `SELECT blind FROM structured_values WHERE ingot_id = $1`,
    [ingotId],
  );
  return {
    own,
    vault,
    ingotId,
    name,
    other,
    find,
    found: await find(),
    blinds: [value?.blind as Buffer],
    rows: context.get(StructuredRepository),
    values: context.get(StructuredValueRepository),
    inOne: <T>(work: (tx: Transaction) => Promise<T>) => context.get(Database).transaction(work),
  };
}

describe('a statement on a structured ingot', () => {
  it('ENV-41 STR-22: changes, deletes and names nothing in another vault or account', async () => {
    const { own, vault, ingotId, name, found, rows, inOne } = await foundIngot();
    const otherVault = { ...vault, vaultId: newId('vlt_') };
    const otherAccount = { ...vault, accountId: newId('acc_') };
    for (const answer of [
      () => inOne((tx) => rows.advance(tx, otherVault, found)),
      () => inOne((tx) => rows.delete(tx, otherVault, ingotId)),
      () => inOne((tx) => rows.delete(tx, otherAccount, ingotId)),
    ])
      expect(await reasonOf(answer())).toBe('INGOT_NOT_FOUND');
    expect(await reasonOf(inOne((tx) => rows.settle(tx, newId('ing_'), 0, 0)))).toBe('INGOT_NOT_FOUND');
    expect(await rows.findNameHolders(otherAccount, name)).toEqual([]);
    expect(await rows.findNameHolders(vault, name)).toMatchObject([{ ingotId }]);
    expect(await own.describe(ingotId)).toMatchObject({ version: 1, keys: ['a'] });
  });

  it.each(['vault_id', 'account_id'])('ENV-41 STR-22: finds nothing under another %s', async (column) => {
    const { ingotId, find } = await foundIngot();
    await platform.sql(`UPDATE structured_ingots SET ${column} = $2 WHERE ingot_id = $1`, [
      ingotId,
      newId('other_'),
    ]);
    expect(await reasonOf(find())).toBe('INGOT_NOT_FOUND');
  });

  it('STR-09 ENV-41: lists no name from another vault, and none with a token of another vault', async () => {
    const { own, vault, ingotId, values } = await foundIngot();
    await platform.sql(
      `INSERT INTO structured_values (vault_id, ingot_id, blind, sealed_name, sealed_value, content_type, size_bytes, version)
       SELECT $2, ingot_id, blind, sealed_name, sealed_value, content_type, size_bytes, version
         FROM structured_values WHERE ingot_id = $1`,
      [ingotId, newId('vlt_')],
    );
    expect((await own.describe(ingotId)).keys).toEqual(['a']);
    const [token] = await platform.sql<{ id: string }>(`SELECT id FROM vault_sessions WHERE vault_id = $1`, [
      fixture.vault_id,
    ]);
    const listed = (id: string) => reasonOf(values.listNames(vault, id, token?.id as string));
    expect(await listed(ingotId)).toBe('AUTHENTICATION_ERROR');
    expect(await listed(newId('ing_'))).toBe('INGOT_NOT_FOUND');
  });

  it('STR-06 STR-12 VLT-26: retrieves and removes no value that was moved to another ingot', async () => {
    const { own, vault, ingotId, name, other, found, blinds, values, inOne } = await foundIngot();
    expect(await values.find(vault, found, blinds)).toMatchObject([{ sizeBytes: 3 }]);
    await platform.sql(`UPDATE structured_values SET ingot_id = $2 WHERE ingot_id = $1`, [ingotId, other]);
    expect(await values.find(vault, found, blinds)).toEqual([]);
    expect(await values.find(vault, { ...found, ingotId: other }, blinds)).toBeUndefined();
    const removed = await inOne((tx) => values.remove(tx, { ...vault, ingotId }, blinds));
    expect(removed).toEqual({ count: 0, bytes: 0 });
    await own.create({ b: 'three' }, name);
    expect(await own.rowCount()).toBe(3);
  });

  it('STR-16: advances no other version than the one that was found', async () => {
    const { own, vault, ingotId, found, rows, inOne } = await foundIngot();
    await own.patch(ingotId, { set: { b: 'new' } });
    expect(await reasonOf(inOne((tx) => rows.advance(tx, vault, found)))).toBe('STRUCTURED_OVERTAKEN');
    expect(await own.describe(ingotId)).toMatchObject({ version: 2, keys: ['a', 'b'] });
  });
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { integer, loadConfig, loadServiceConfig, Secret, secretText, Setting, text } from './index.js';

class Config {
  @Setting(secretText, 'A password.') PASSWORD: Secret;
  @Setting(integer(), 'A number.') COUNT = 1;
}

class WithSchema {
  @Setting(text, 'A schema.') DATABASE_SCHEMA: string;
}

let folder: string;
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'settings-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(content: string): string {
  const path = join(folder, String(Math.random()));
  writeFileSync(path, content);
  return path;
}

describe('A setting', () => {
  it.each(['hunter2', 'hunter2\n', 'hunter2\r\n'])(
    'is read from the file that NAME_FILE names: %j',
    (content) => {
      expect(loadConfig(Config, { PASSWORD_FILE: fileOf(content) }).PASSWORD.reveal()).toBe('hunter2');
    },
  );

  it('keeps all of its file but one line break at the end', () => {
    expect(loadConfig(Config, { PASSWORD_FILE: fileOf(' a\nb \n\n') }).PASSWORD.reveal()).toBe(' a\nb \n');
  });

  it('is checked as one of the environment, and refused when it is set twice or its file cannot be read', () => {
    const problems = (environment: Record<string, string>) => () => loadConfig(Config, environment);
    expect(problems({ PASSWORD: 'a', PASSWORD_FILE: fileOf('b') })).toThrow(
      'PASSWORD is set twice, here and by PASSWORD_FILE. A password.',
    );
    expect(problems({ PASSWORD_FILE: join(folder, 'none') })).toThrow(
      'PASSWORD cannot be read from the file of PASSWORD_FILE (ENOENT). A password.',
    );
    expect(problems({ PASSWORD_FILE: fileOf('') })).toThrow('PASSWORD is missing');
    expect(problems({ PASSWORD: 'a', COUNT_FILE: fileOf('many') })).toThrow('COUNT must be an integer');
  });

  it('of the environment counts when its file is an empty name, and the other way round', () => {
    expect(loadConfig(Config, { PASSWORD: 'a', PASSWORD_FILE: '' }).PASSWORD.reveal()).toBe('a');
    expect(loadConfig(Config, { PASSWORD: '', PASSWORD_FILE: fileOf('b') }).PASSWORD.reveal()).toBe('b');
  });
});

describe('loadServiceConfig', () => {
  it('takes the name of the service for its schema, unless another one is given', () => {
    expect(loadServiceConfig('sparks', WithSchema, {}).DATABASE_SCHEMA).toBe('sparks');
    expect(loadServiceConfig('sparks', WithSchema, { DATABASE_SCHEMA: '' }).DATABASE_SCHEMA).toBe('sparks');
    expect(loadServiceConfig('sparks', WithSchema, { DATABASE_SCHEMA: 'own' }).DATABASE_SCHEMA).toBe('own');
    expect(
      loadServiceConfig('sparks', WithSchema, { DATABASE_SCHEMA_FILE: fileOf('f') }).DATABASE_SCHEMA,
    ).toBe('f');
  });
});

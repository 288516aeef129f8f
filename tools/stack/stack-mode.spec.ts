import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readSettings } from './settings.ts';
import { assertSameMode, recordMode, settingsOfStack } from './stack-mode.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vaultsvc-mode-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

const settings = (...args: string[]) => readSettings({ VAULTSVC_DIR: folder }, args);

function writeData() {
  const { postgres } = settings().paths;
  mkdirSync(postgres);
  writeFileSync(join(postgres, 'PG_VERSION'), '15\n');
}

describe('npm start with data of an earlier start', () => {
  it('accepts any choice of --clusters while there is none, also after an interrupted start', () => {
    for (const each of [settings(), settings('--clusters')]) expect(() => assertSameMode(each)).not.toThrow();
    recordMode(settings('--clusters'));
    mkdirSync(settings().paths.postgres);
    expect(() => assertSameMode(settings())).not.toThrow();
  });

  it('refuses --clusters where the data was made without it', () => {
    recordMode(settings());
    writeData();
    expect(() => assertSameMode(settings())).not.toThrow();
    expect(() => assertSameMode(settings('--clusters'))).toThrow(
      `The data in ${folder} was made without --clusters. Start without it, or in another folder (VAULTSVC_DIR), or delete the data with --fresh.`,
    );
  });

  it('refuses --clusters where an earlier release made the data and recorded nothing', () => {
    writeData();
    expect(() => assertSameMode(settings())).not.toThrow();
    expect(() => assertSameMode(settings('--clusters'))).toThrow(/was made without --clusters/);
  });

  it('refuses to go on without --clusters where accounts may be in the second shard, also before that has data', () => {
    recordMode(settings('--clusters'));
    writeData();
    expect(() => assertSameMode(settings('--clusters'))).not.toThrow();
    expect(() => assertSameMode(settings())).toThrow(/was made with --clusters\. Start with it,/);
  });
});

describe('The record of the mode', () => {
  it('is readable only by its owner', () => {
    recordMode(settings());
    expect(statSync(settings().paths.mode).mode & 0o777).toBe(0o600);
  });

  it('gives tools the settings of a clustered stack', () => {
    const env = { VAULTSVC_DIR: folder };
    expect(settingsOfStack(env).clusters).toBeUndefined();
    recordMode(settings('--clusters'));
    writeData();
    expect(settingsOfStack(env).clusters).toEqual(settings('--clusters').clusters);
  });
});

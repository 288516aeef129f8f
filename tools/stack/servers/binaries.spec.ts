import { describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, findChromium } from './binaries.mjs';
import { ensureBinaries, ensureChromium } from './install.mjs';

const nowhere = { path: '', folders: [] };

describe('The servers that a start needs', () => {
  it('with an empty PATH, one message says what to install, with apt and with brew', async () => {
    const refusal = ensureBinaries({ ...nowhere, canInstall: false });
    await expect(refusal).rejects.toThrow(
      /Not found on this machine: nats-server, redis-server, postgresql\./,
    );
    await expect(refusal).rejects.toThrow(
      /apt-get install -y --no-install-recommends nats-server redis-server postgresql$/m,
    );
    await expect(refusal).rejects.toThrow(/brew install nats-server redis postgresql@16$/m);
  });

  it('only what is missing is named', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-binaries-'));
    for (const name of ['redis-server', 'postgres']) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o755);
    }
    // PostgreSQL without its initdb of the same version is of no use.
    expect(findBinaries({ path: folder, folders: [] }).missing).toEqual(['nats-server', 'postgresql']);
    rmSync(folder, { recursive: true });
  });

  it('a file that may not be run is not a program', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-binaries-'));
    writeFileSync(join(folder, 'nats-server'), '', { mode: 0o644 });
    expect(findBinaries({ path: folder, folders: [] }).missing).toContain('nats-server');
    rmSync(folder, { recursive: true });
  });
});

describe('The browser that the browser tests drive', () => {
  it('missing, one message says what to install', async () => {
    const refusal = ensureChromium({ ...nowhere, canInstall: false });
    await expect(refusal).rejects.toThrow(/Not found on this machine: chromium\./);
    await expect(refusal).rejects.toThrow(/apt-get install -y --no-install-recommends chromium$/m);
    await expect(refusal).rejects.toThrow(/brew install --cask chromium$/m);
  });

  it('is found under the names that it has elsewhere, and is none of what a start needs', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-binaries-'));
    writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o755 });
    expect(findChromium({ path: folder, folders: [] })).toBe(join(folder, 'google-chrome'));
    expect(findBinaries(nowhere).missing).not.toContain('chromium');
    rmSync(folder, { recursive: true });
  });
});

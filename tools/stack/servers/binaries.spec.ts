import { describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries, findChromium } from './binaries.ts';
import { ensureBinaries, ensureChromium, ensureTools, ensureTuspy } from './install.ts';

const noFolders = { path: '', folders: [] };

describe('Finding the servers that a start needs', () => {
  it('fails on an empty PATH with the commands that install them, for apt and for brew', async () => {
    const refusal = ensureBinaries({ ...noFolders, canInstall: false });
    await expect(refusal).rejects.toThrow(
      /Not found on this machine: nats-server, redis-server, postgresql\./,
    );
    await expect(refusal).rejects.toThrow(
      /apt-get install -y --no-install-recommends nats-server redis-server postgresql$/m,
    );
    await expect(refusal).rejects.toThrow(/brew install nats-server redis postgresql@16$/m);
  });

  it('names only the missing packages', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-binaries-'));
    for (const name of ['redis-server', 'postgres']) {
      writeFileSync(join(folder, name), '');
      chmodSync(join(folder, name), 0o755);
    }
    // PostgreSQL without `initdb` of the same version is unusable.
    expect(findBinaries({ path: folder, folders: [] }).missing).toEqual(['nats-server', 'postgresql']);
    rmSync(folder, { recursive: true });
  });

  it('ignores a file that is not executable', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-binaries-'));
    writeFileSync(join(folder, 'nats-server'), '', { mode: 0o644 });
    expect(findBinaries({ path: folder, folders: [] }).missing).toContain('nats-server');
    rmSync(folder, { recursive: true });
  });
});

describe('Finding the browser of the browser tests', () => {
  it('fails with the commands that install it', async () => {
    const refusal = ensureChromium({ ...noFolders, canInstall: false });
    await expect(refusal).rejects.toThrow(/Not found on this machine: chromium\./);
    await expect(refusal).rejects.toThrow(/apt-get install -y --no-install-recommends chromium$/m);
    await expect(refusal).rejects.toThrow(/brew install --cask chromium$/m);
  });

  it('accepts the names of other packages, prefers the one without windows, and is no condition of a start', () => {
    const folder = mkdtempSync(join(tmpdir(), 'vaultsvc-binaries-'));
    writeFileSync(join(folder, 'google-chrome'), '', { mode: 0o755 });
    expect(findChromium({ path: folder, folders: [] })).toBe(join(folder, 'google-chrome'));
    for (const name of ['chromium', 'chromium-headless-shell']) {
      writeFileSync(join(folder, name), '', { mode: 0o755 });
      expect(findChromium({ path: folder, folders: [] })).toBe(join(folder, name));
    }
    expect(findBinaries(noFolders).missing).not.toContain('chromium');
    rmSync(folder, { recursive: true });
  });
});

describe('Finding the commands of samples and guides', () => {
  it('fails with the commands that install those that are missing', async () => {
    const refusal = ensureTools(['jq', 'python3'], { path: '/nowhere', canInstall: false });
    await expect(refusal).rejects.toThrow(/Not found on this machine: jq, python3\./);
    await expect(refusal).rejects.toThrow(/brew install jq python$/m);
  });

  it('fails with the command that installs tuspy, if the Python of the system lacks it', async () => {
    const refusal = ensureTuspy({ python: '/nowhere', canInstall: false });
    await expect(refusal).rejects.toThrow(/apt-get install -y --no-install-recommends python3-tuspy$/m);
  });
});

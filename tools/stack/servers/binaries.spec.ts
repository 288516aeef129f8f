import { describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBinaries } from './binaries.mjs';
import { ensureBinaries } from './install.mjs';

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

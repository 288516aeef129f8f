import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** Everything that an entry brings along, as its bundle would hold it. */
async function bundleOf(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`./${entry}/index.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    logLevel: 'silent',
  });
  return outputFiles.map((file) => file.text).join('\n');
}

describe('the entries for the gateway, which must not encrypt', () => {
  it('encoding, secret, tokens and mac bring no cipher and no KMS along', async () => {
    for (const entry of ['encoding', 'secret', 'tokens', 'mac']) {
      expect(await bundleOf(entry)).not.toMatch(/Cipher|aes-256|client-kms/);
    }
  });

  it('wrap, aead and container do, so the search above would find them', async () => {
    for (const entry of ['wrap', 'aead', 'container']) expect(await bundleOf(entry)).toMatch(/Cipher/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { fileURLToPath } from 'node:url';

/** The bundle of an entry with all modules that it imports. */
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

describe('The entries for the gateway, which must not encrypt', () => {
  it('encoding, tokens and mac import neither a cipher nor KMS', async () => {
    for (const entry of ['encoding', 'tokens', 'mac']) {
      expect(await bundleOf(entry)).not.toMatch(/Cipher|aes-256|client-kms/);
    }
  });

  it('differ from wrap, aead and container, in which the same search finds ciphers', async () => {
    for (const entry of ['wrap', 'aead', 'container']) expect(await bundleOf(entry)).toMatch(/Cipher/);
  });
});

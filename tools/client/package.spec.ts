import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { build } from 'esbuild';
import { workspace } from '../stack/settings.ts';
import { InstalledPackage } from './installed-package.ts';

let installed: InstalledPackage;
beforeAll(async () => void (installed = await InstalledPackage.make()));
afterAll(() => installed.remove());

const page = `
import { BrowserSession, createClient, paginate, unseal, upload, WebResumeStore } from '@vaultsvc/client';
const client = createClient({ url: location.origin, session: new BrowserSession({ url: location.origin }) });
const vault = await unseal(client, 'vlt_1', { vmk: prompt() ?? '' });
await upload(vault, new File(['x'], 'a'), { resume: new WebResumeStore(localStorage) });
for await (const { api_key_id } of paginate(client, '/v1/api-keys')) document.title = api_key_id;
`;
const wrong = `
import { createClient } from '@vaultsvc/client';
const client = createClient({ url: 'http://localhost' });
await client.POST('/v1/sparks', { body: { payload: 1 } });
await client.GET('/v1/spark');
(await client.GET('/v1/me')).data.colour;
`;
/** Declarations that the samples of the guide use without defining them. */
const given = {
  client: `import('@vaultsvc/client').Client`,
  ...Object.fromEntries(
    [
      'url',
      'apiKey',
      'vaultId',
      'vmk',
      'code',
      'code_verifier',
      'link_code',
      'jws',
      'keyThatYouHold',
      'payload',
    ].map((name) => [name, 'string']),
  ),
};
const givenTo = (sample: string) =>
  Object.entries(given)
    .filter(([name]) => !sample.includes(`const ${name} =`))
    .map(([name, type]) => `declare const ${name}: ${type};\n`)
    .join('') + 'export {};\n';
const browser = { lib: ['ES2023', 'DOM', 'DOM.Iterable'], types: [] };
const node = { lib: ['ES2023'], types: ['node'] };

describe('The tarball of the client', () => {
  it('SDK-12: needs the packages that it names, and none of the workspace', async () => {
    const folder = join(installed.folder, 'node_modules/@vaultsvc/client');
    const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|ts)$/.test(name));
    const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
    const imported = texts.flatMap((text) =>
      [...text.matchAll(/from ["']([^."'][^"']*)["']/g)].map(([, name]) => name),
    );
    const packages = new Set(imported.filter((name) => !name?.startsWith('node:')));
    const { dependencies } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect([...packages].sort()).toEqual(Object.keys(dependencies).sort());
  });

  it('SDK-01 SDK-12: has types that satisfy tsc --strict, for Node and for browsers', async () => {
    expect(await installed.typeErrors(node)).toBe('');
    await writeFile(join(installed.folder, 'page.ts'), page);
    expect(await installed.typeErrors({ ...browser, files: ['page.ts'] })).toBe('');
  });

  it('SDK-01: has types that refuse a wrong body, path or field', async () => {
    await writeFile(join(installed.folder, 'wrong.ts'), wrong);
    const errors = await installed.typeErrors({ ...node, files: ['wrong.ts'] });
    expect([...errors.matchAll(/wrong\.ts\((\d+),/g)].map(([, line]) => line)).toEqual(['4', '5', '6']);
  });

  it('SDK-01: has types with which the program of docs/quickstart.md compiles', async () => {
    const guide = await readFile(join(workspace, 'docs/quickstart.md'), 'utf8');
    const steps = [...guide.matchAll(/```ts\n(.*?)```/gs)].map(([, step = '']) => step);
    expect(steps).toHaveLength(5);
    await writeFile(join(installed.folder, 'quickstart.ts'), steps.join('\n'));
    expect(await installed.typeErrors({ ...node, files: ['quickstart.ts'] })).toBe('');
  });

  it('SDK-01: has types with which the samples of its README and of docs/client.md compile', async () => {
    const pages = ['libs/client/README.md', 'docs/client.md'];
    const texts = await Promise.all(pages.map((page) => readFile(join(workspace, page), 'utf8')));
    const samples = [...texts.join('\n').matchAll(/```ts\n(.*?)```/gs)].map(
      ([, sample = '']) => `${givenTo(sample)}${sample}`,
    );
    expect(samples.length).toBeGreaterThan(10);
    const files = samples.map((_, index) => `sample-${index}.ts`);
    await Promise.all(
      files.map((name, index) => writeFile(join(installed.folder, name), samples[index] ?? '')),
    );
    expect(await installed.typeErrors({ ...node, files })).toBe('');
  });

  it('SDK-12: bundles for browsers, without modules of Node', async () => {
    await writeFile(join(installed.folder, 'page.ts'), page);
    const { outputFiles } = await build({
      entryPoints: [join(installed.folder, 'page.ts')],
      bundle: true,
      write: false,
      minify: true,
      format: 'esm',
      platform: 'browser',
      logLevel: 'silent',
    });
    expect(outputFiles[0]?.text).not.toMatch(/(?:\bfrom|\bimport\(?)\s*["'`]node:|\brequire\(/);
  });
});

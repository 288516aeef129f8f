import type { Plugin } from 'esbuild';
import { guidesFile, guidesModule } from './guides.ts';
import { pageModuleFile, pageModuleModule } from './page-module.ts';
import { pageScriptFile, pageScriptModule } from './page-script.ts';
import { referenceAssetsFile, referenceAssetsModule } from './reference-assets.ts';

interface GeneratedModule {
  file: RegExp;
  render: (path: string) => string;
}

/** Modules whose source on the disk only declares types: builds and Jest replace them by what these functions make. */
const generatedModules: readonly GeneratedModule[] = [
  { file: pageModuleFile, render: pageModuleModule },
  { file: pageScriptFile, render: pageScriptModule },
  { file: referenceAssetsFile, render: referenceAssetsModule },
  { file: guidesFile, render: guidesModule },
];

/** The JavaScript of a generated module. */
export function generatedModule(path: string): string {
  const found = generatedModules.find(({ file }) => file.test(path));
  if (!found) throw new Error(`no function makes ${path}`);
  return found.render(path);
}

/** The esbuild plugin that replaces these modules in the bundles of services. */
export function generatedModulesPlugin(): Plugin {
  return {
    name: 'generated-modules',
    setup(build) {
      for (const { file, render } of generatedModules)
        build.onLoad({ filter: file }, ({ path }) => ({ contents: render(path), loader: 'js' }));
    },
  };
}

import type { Plugin } from 'esbuild';
import { guidesFile, guidesModule } from './guides.ts';
import {
  earlierInstallFilesModule,
  installFilesFile,
  installFilesModule,
  prepareInstallFiles,
} from './install-files.ts';
import { pageModuleFile, pageModuleModule } from './page-module.ts';
import { pageScriptFile, pageScriptModule } from './page-script.ts';
import { referenceAssetsFile, referenceAssetsModule } from './reference-assets.ts';

interface GeneratedModule {
  file: RegExp;
  render: (path: string) => string;
  /** Makes what `render` reads, while the bundler goes on. */
  prepare?: () => Promise<void>;
}

/** Modules whose source on the disk only declares types: builds and Jest replace them by what these functions make. */
const generatedModules: readonly GeneratedModule[] = [
  { file: pageModuleFile, render: pageModuleModule },
  { file: pageScriptFile, render: pageScriptModule },
  { file: referenceAssetsFile, render: referenceAssetsModule },
  { file: guidesFile, render: guidesModule },
  { file: installFilesFile, render: installFilesModule, prepare: prepareInstallFiles },
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
      for (const { file, render, prepare } of generatedModules)
        build.onLoad({ filter: file }, async ({ path }) => {
          await prepare?.();
          return { contents: render(path), loader: 'js' };
        });
    },
  };
}

/** Before the other plugin in the bundles of development. */
export function developmentModulesPlugin(): Plugin {
  return {
    name: 'development-modules',
    setup(build) {
      build.onLoad({ filter: installFilesFile }, () => ({
        contents: earlierInstallFilesModule(),
        loader: 'js',
      }));
    },
  };
}

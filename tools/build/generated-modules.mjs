import { guidesFile, guidesModule } from './guides.mjs';
import { pageScriptFile, pageScriptModule } from './page-script.mjs';
import { referenceAssetsFile, referenceAssetsModule } from './reference-assets.mjs';

/**
 * Modules whose source on the disk only declares types: builds and Jest replace them by what these functions make.
 * @type {readonly { file: RegExp, render: (path: string) => string }[]}
 */
const generatedModules = [
  { file: pageScriptFile, render: pageScriptModule },
  { file: referenceAssetsFile, render: referenceAssetsModule },
  { file: guidesFile, render: guidesModule },
];

/**
 * The JavaScript of a generated module.
 * @param {string} path
 * @returns {string}
 */
export function generatedModule(path) {
  const found = generatedModules.find(({ file }) => file.test(path));
  if (!found) throw new Error(`no function makes ${path}`);
  return found.render(path);
}

/**
 * The esbuild plugin that replaces these modules in the bundles of services.
 * @returns {import('esbuild').Plugin}
 */
export function generatedModulesPlugin() {
  return {
    name: 'generated-modules',
    setup(build) {
      for (const { file, render } of generatedModules)
        build.onLoad({ filter: file }, ({ path }) => ({ contents: render(path), loader: 'js' }));
    },
  };
}

// @ts-nocheck
import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isModuleNamespaceObject } from 'node:util/types';
import { SyntheticModule, compileFunction, type Module } from 'node:vm';
import JestRuntime from 'jest-runtime';

/**
 * Jest's module loader, with two things that stay loaded while the worker lives: packages, which Node loads, and the
 * product's modules, which keep no state of a test (ADR 17). Each spec file gets its own copy of what helps tests only.
 * It goes with `WorkerEnvironment`: all code runs in the context of the worker.
 */
export default class WorkerRuntime extends JestRuntime {
  #storages: AsyncLocalStorage<unknown>[] = [];

  constructor(...args: ConstructorParameters<typeof JestRuntime>) {
    super(...args);
    this.#useContextOfWorker();
    this.#usePackagesOfWorker();
    const registry = this.registries.getActiveEsmRegistry();
    for (const [key, module] of productModules) registry.set(key, module);
    for (const [path, map] of sourceMaps) this.getSourceMaps().set(path, map);
  }

  teardown() {
    for (const [key, module] of this.registries.getActiveEsmRegistry())
      if (productPath.test(key) && module.status === 'evaluated') productModules.set(key, module);
    for (const [path, map] of this.getSourceMaps()) sourceMaps.set(path, map);
    for (const storage of this.#storages) storage.disable();
    super.teardown();
  }

  /**
   * Jest's own packages stay loaded as well, but for jest-circus, which keeps the state of one file. Its storage would
   * slow down every promise of the files that follow, as long as it is enabled.
   * @param to undefined for jest-circus
   */
  requireInternalModule(from: string, to?: string) {
    if (to === undefined || to.startsWith('jest-main:')) return super.requireInternalModule(from, to);
    const loaded = createRequire(from)(to);
    if (to !== 'node:async_hooks') return loaded;
    const storages = this.#storages;
    class StorageOfFile extends AsyncLocalStorage {
      constructor() {
        super();
        storages.push(this);
      }
    }
    return { ...loaded, AsyncLocalStorage: StorageOfFile };
  }

  #useContextOfWorker() {
    const { esmLoader, executor } = this;
    esmLoader.getContext = () => undefined; // `node:vm` compiles for the current context then
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier) => import(specifier),
      });
  }

  /** Node 20 links modules one after another, later versions the whole graph at once: Jest has a method for each. */
  #usePackagesOfWorker() {
    const { esmLoader } = this;
    const resolveModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = (...args) =>
      isPackage(args[0]) ? evaluatedPackage(args[0]) : resolveModule(...args);
    const resolveForGraph = esmLoader.resolveSpecifierForSyncGraph.bind(esmLoader);
    esmLoader.resolveSpecifierForSyncGraph = (...args) => {
      const [, specifier, , scratch, registry] = args;
      if (!isPackage(specifier)) return resolveForGraph(...args);
      const cacheKey = `package:${specifier}`;
      esmLoader.tryCommitSynthetic(cacheKey, registry, scratch, () => packageModule(specifier));
      return { cacheKey, enqueue: null, modulePath: cacheKey };
    };
  }
}

/** evaluated modules of apps and libs, by their URLs */
const productModules: Map<string, Module> = new Map();
const sourceMaps: Map<string, string> = new Map();
const packages: Map<string, SyntheticModule> = new Map();

const productPath = /\/(apps|libs)\/(?!e2e\/|testing\/)[^/]+\/src\/(?!(.*\/)?testing\/|.*\.spec\.)/;
const require = createRequire(import.meta.url);

function isPackage(specifier: string) {
  return !/^([./]|[a-z]+:|@vaultsvc\/|@jest\/globals$)/.test(specifier) && !isBuiltin(specifier);
}

/** The same file that `import` finds, loaded with `require`, which needs no waiting. */
function packageModule(specifier: string) {
  const known = packages.get(specifier);
  if (known) return known;
  const exports = require(fileURLToPath(import.meta.resolve(specifier)));
  const namespace = isModuleNamespaceObject(exports) ? exports : { ...exports, default: exports };
  const module = new SyntheticModule(
    Object.keys(namespace),
    () => {
      for (const [name, value] of Object.entries(namespace)) module.setExport(name, value);
    },
    { identifier: specifier },
  );
  packages.set(specifier, module);
  return module;
}

async function evaluatedPackage(specifier: string) {
  const module = packageModule(specifier);
  if (module.status === 'unlinked') await module.link(() => undefined);
  if (module.status === 'linked') await module.evaluate();
  return module;
}

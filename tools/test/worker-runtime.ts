import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isModuleNamespaceObject } from 'node:util/types';
import { SyntheticModule, compileFunction, type Context, type Module } from 'node:vm';

const require = createRequire(import.meta.url);
// Required: the declarations of the package describe its CommonJS file only.
const { default: JestRuntime } = require('jest-runtime') as typeof import('jest-runtime');

/** Members of Jest's runtime that its declarations hide. */
interface RuntimeInternals {
  registries: { getActiveEsmRegistry(): EsmRegistry };
  esmLoader: EsmLoader;
  executor: {
    readonly injectedModuleParameters: readonly string[];
    compile(source: string, filename: string): ReturnType<typeof compileFunction>;
  };
}

/** Modules by their URLs; a promise while Node 20 links one. */
type EsmRegistry = Map<string, Module | Promise<Module>>;

interface EsmLoader {
  getContext(): Context | undefined;
  /** The callback of each module for its `import()`. */
  dynamicImport: DynamicImport;
  resolveModule(specifier: string, from: string, context: Context | undefined): Promise<Module>;
  resolveSpecifierForSyncGraph(...args: SyncResolution): unknown;
  /** Registers a module unless one has the key. */
  tryCommitSynthetic(key: string, registry: EsmRegistry, scratch: object, build: () => Module): boolean;
}

type DynamicImport = (specifier: string, ...others: unknown[]) => Promise<Module>;

/** The arguments of `resolveSpecifierForSyncGraph`. */
type SyncResolution = [
  from: string,
  specifier: string,
  context: Context | undefined,
  scratch: object,
  registry: EsmRegistry,
  ...others: unknown[],
];

/**
 * Jest's module loader, with two things that stay loaded while the worker lives: packages, which Node loads, and the
 * product's modules, which keep no state of a test (ADR 17). Each spec file gets its own copy of what helps tests only.
 * It goes with `WorkerEnvironment`: all code runs in the context of the worker.
 */
export default class WorkerRuntime extends JestRuntime {
  #storages: AsyncLocalStorage<unknown>[] = [];
  readonly #internals: RuntimeInternals;

  constructor(...args: ConstructorParameters<typeof JestRuntime>) {
    super(...args);
    this.#internals = this as unknown as RuntimeInternals;
    this.#useContextOfWorker();
    this.#usePackagesOfWorker();
    this.#importForModulesOfWorker();
    const registry = this.#internals.registries.getActiveEsmRegistry();
    for (const [key, module] of productModules) registry.set(key, module);
    const ownSourceMaps = this.getSourceMaps() as Map<string, string>;
    for (const [path, map] of sourceMaps) ownSourceMaps.set(path, map);
  }

  override teardown() {
    for (const [key, module] of this.#internals.registries.getActiveEsmRegistry())
      if (productPath.test(key) && !(module instanceof Promise) && module.status === 'evaluated')
        productModules.set(key, module);
    for (const [path, map] of this.getSourceMaps()) sourceMaps.set(path, map);
    for (const storage of this.#storages) storage.disable();
    super.teardown();
  }

  /**
   * Jest's own packages stay loaded as well, but for jest-circus, which keeps the state of one file. Its storage would
   * slow down every promise of the files that follow, as long as it is enabled.
   * @param to undefined for jest-circus
   */
  override requireInternalModule<T = unknown>(from: string, to?: string): T {
    if (to === undefined || to.startsWith('jest-main:')) return super.requireInternalModule<T>(from, to);
    const loaded = createRequire(from)(to) as T;
    if (to !== 'node:async_hooks') return loaded;
    const storages = this.#storages;
    class StorageOfFile extends AsyncLocalStorage<unknown> {
      constructor() {
        super();
        storages.push(this);
      }
    }
    return { ...loaded, AsyncLocalStorage: StorageOfFile };
  }

  #useContextOfWorker() {
    const { esmLoader, executor } = this.#internals;
    esmLoader.getContext = () => undefined; // `node:vm` compiles for the current context then
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, {
        filename,
        importModuleDynamically: (specifier) => import(specifier) as Promise<Module>,
      });
  }

  /**
   * A product's module that stays loaded keeps the callback of the spec file that loaded it first, which has ended: what it imports at
   * run time comes from the loader of the running file, packages from that of Node.
   */
  #importForModulesOfWorker() {
    const { esmLoader } = this.#internals;
    dynamicImport = esmLoader.dynamicImport;
    esmLoader.dynamicImport = (specifier, ...others) =>
      isPackage(specifier) ? evaluatedPackage(specifier) : dynamicImport(specifier, ...others);
  }

  /** Node 20 links modules one after another, later versions the whole graph at once: Jest has a method for each. */
  #usePackagesOfWorker() {
    const { esmLoader } = this.#internals;
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
/** that of the running spec file */
let dynamicImport: DynamicImport;
const sourceMaps: Map<string, string> = new Map();
const packages: Map<string, SyntheticModule> = new Map();

const productPath = /\/(apps|libs)\/(?!e2e\/|testing\/)[^/]+\/src\/(?!(.*\/)?testing\/|.*\.spec\.)/;

function isPackage(specifier: string) {
  return !/^([./]|[a-z]+:|@vaultsvc\/|@jest\/globals$)/.test(specifier) && !isBuiltin(specifier);
}

/** The same file that `import` finds, loaded with `require`, which needs no waiting. */
function packageModule(specifier: string) {
  const known = packages.get(specifier);
  if (known) return known;
  const exports = require(fileURLToPath(import.meta.resolve(specifier))) as object;
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

function importsNothing(): never {
  throw new Error('a module made of exports imports nothing');
}

async function evaluatedPackage(specifier: string) {
  const module = packageModule(specifier);
  if (module.status === 'unlinked') await module.link(importsNothing);
  if (module.status === 'linked') await module.evaluate();
  return module;
}

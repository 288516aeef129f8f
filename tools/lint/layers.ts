import { posix } from 'node:path';

/**
 * The allowed imports of product code. Imports go one way: a lib lists the libs below it, and a path after a lib allows
 * that subpath only. No package may import an app. There is no cycle in it, so there is none between packages.
 */
export const layers: Readonly<Record<string, readonly string[]>> = {
  contracts: [],
  config: [],
  // The scope of a request, traces and metrics: what every lib may report to.
  telemetry: [],
  crypto: ['config'],
  // It frees the memory of what it has written.
  objects: ['config', 'crypto/memory'],
  // It signs and verifies; ciphers are not allowed (ADR 6).
  transparency: ['crypto/encoding', 'crypto/hash', 'crypto/signature'],
  // It is published as one package, into which the verifier of exports is bundled.
  client: ['transparency'],
  // The text of its verdict needs more of a report than the client returns. Piped uploads are encrypted while they wait. It
  // compares names and checks addresses and URLs as the service does.
  cli: ['client', 'config/urls', 'contracts/identity', 'contracts/names', 'crypto/spool', 'transparency'],
  // An invalid cursor is an error of the contracts.
  database: ['config', 'contracts', 'telemetry'],
  // A call context is authenticated by a MAC; ciphers are not allowed (ADR 6).
  messaging: [
    'config',
    'contracts',
    'crypto/encoding',
    'crypto/mac',
    'crypto/signature',
    'database',
    'telemetry',
  ],
  http: ['config', 'contracts', 'crypto/encoding', 'crypto/mac', 'telemetry'],
  service: ['config', 'contracts', 'crypto/data-keys', 'crypto/kms', 'database', 'messaging', 'telemetry'],
  // Redis is a readiness check of a service, and its keys a condition of the start. Records in it have a MAC.
  limits: ['config', 'contracts', 'crypto/mac', 'messaging', 'service', 'telemetry'],
};

const everyLayer = Object.keys(layers);

/** Services that may import every lib; an app that neither they nor the gateway are imports none. */
const services = ['auth', 'sparks', 'vaults', 'forge', 'notify', 'integrations', 'reporting'];

/** The app that runs all services in one process: it imports their definitions, and nothing else of them. */
const composing = 'apps/all';
const composed = /^apps\/[^/]+\/src\/(service-definition|heap-growth)$/;
const composingLayers = ['config', 'service'];

/** The gateway has neither a database nor a key that decrypts (ADR 6). */
const gatewayLayers = [
  // In the scripts of its pages.
  'client',
  'config',
  'contracts',
  'http',
  'limits',
  'messaging',
  'service',
  'telemetry',
  'crypto/encoding',
  'crypto/mac',
  'crypto/tokens',
];

/** A client of the API like any other (ADR 56). */
const webApplication = 'apps/web';
const webLayers = ['client'];

/**
 * The libs that product code of a package may import, or `undefined` for packages without a limit (tools, tests).
 * @param owner `libs/<name>`, `apps/<name>` or `tools`
 */
export function allowedFor(owner: string) {
  const [kind, name = ''] = owner.split('/');
  if (kind === 'libs') return name === 'testing' ? undefined : (layers[name] ?? []);
  if (kind !== 'apps') return undefined;
  if (name === 'gateway') return gatewayLayers;
  if (owner === composing) return composingLayers;
  if (owner === webApplication) return webLayers;
  return services.includes(name) ? everyLayer : [];
}

/**
 * Code that never ships: specs, end-to-end tests and their helpers.
 * @param file relative to the workspace
 */
export function isTestCode(file: string) {
  return /(\.spec|\.e2e)\.ts$|^apps\/e2e\/|^libs\/testing\/|^tools\/|^apps\/[^/]+\/src\/testing\//.test(file);
}

/**
 * The reason why an import is forbidden, as a sentence; nothing for an allowed import.
 * @param file relative to the workspace, with slashes
 * @param specifier as written in the import
 * @param isDynamic whether it is an `import()`
 */
export function importViolation(file: string, specifier: string, isDynamic = false): string | undefined {
  const target = targetOf(file, specifier);
  if (!target) return undefined;
  const owner = ownerOf(file);
  if (isTestCode(file)) return testViolation(owner, target);
  if (target.owner === 'tools') return `Product code does not import tools.`;
  if (isTestCode(target.file)) return `Product code does not import test code (${specifier}).`;
  if (target.owner === owner) return ownViolation(specifier);
  if (!specifier.startsWith('@')) return `Import another package by its name, not by a path (${specifier}).`;
  if (owner === composing && composed.test(target.file)) return undefined;
  if (target.owner.startsWith('apps/')) return `No package imports an app (${specifier}).`;
  return layerViolation(owner, target) ?? (isDynamic ? dynamicViolation(specifier) : undefined);
}

/** Other files import the same packages by statements, so an `import()` delays nothing. */
function dynamicViolation(specifier: string) {
  return `Import another package by a statement, not at run time (${specifier}).`;
}

function ownViolation(specifier: string) {
  return specifier.startsWith('.')
    ? undefined
    : `Import files of the same package by a path, not by its name (${specifier}).`;
}

/**
 * A spec may import the harness and the real servers, but not the inside of another service. Tests of libs, `libs/testing`
 * included, import no app: what starts whole services is in `tools/testing`.
 */
function testViolation(owner: string, target: Target) {
  const isForeignApp = target.owner.startsWith('apps/') && target.owner !== owner;
  const startsServices = isForeignApp || target.file.startsWith('tools/testing/');
  if (owner.startsWith('libs/') && startsServices)
    return `Libs import no app, not even in tests (${target.file}).`;
  if (!isForeignApp || owner === 'tools') return undefined;
  return `A spec uses another service through its operations (${target.owner}).`;
}

function layerViolation(owner: string, { owner: targetOwner, subpath }: Target) {
  const lib = targetOwner.slice('libs/'.length);
  const allowed = allowedFor(owner);
  if (!allowed || allowed.includes(lib) || allowed.includes(`${lib}/${subpath}`)) return undefined;
  return `${owner} may import ${allowed.join(', ') || 'nothing of ours'}; not ${lib}${subpath && `/${subpath}`}.`;
}

interface Target {
  owner: string;
  /** The path it points to, or a made-up one inside the package. */
  file: string;
  /** After the package's name; empty for its root. */
  subpath: string;
}

/** @returns nothing for packages of others */
function targetOf(file: string, specifier: string): Target | undefined {
  if (/^(?:\.|\/|(?:apps|libs)\/)/.test(specifier)) {
    const from = specifier.startsWith('.') ? posix.dirname(file) : '';
    const path = posix.join(from, specifier).replace(/\.js$/, '.ts');
    return { owner: ownerOf(path), file: path, subpath: '' };
  }
  const [, kind = '', name = '', subpath = ''] = PACKAGE.exec(specifier) ?? [];
  if (!name) return undefined;
  if (kind === 'tools-') return { owner: 'tools', file: `tools/${name}/src/${subpath}`, subpath };
  const owner = `${kind === 'app-' ? 'apps' : 'libs'}/${name}`;
  return { owner, file: `${owner}/src/${subpath}`, subpath };
}

/** Our packages: `@vaultsvc/<lib>`, `@vaultsvc/app-<app>` and `@vaultsvc/tools-<folder>`, each with an optional subpath. */
const PACKAGE = /^@vaultsvc\/(app-|tools-)?([^/]+)\/?(.*)$/;

function ownerOf(file: string) {
  return /^(?:(?:libs|apps)\/[^/]+|[^/]+)/.exec(file)?.[0] ?? file;
}

import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { announceInstallation } from './installation.ts';
import { changedPackages, isWhole } from './node-modules.ts';

let printed: string;
beforeEach(() => {
  printed = '';
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
});
afterEach(() => void jest.restoreAllMocks());

const nothing = { nodeModules: false, packages: [] };
const all = { nodeModules: true, packages: ['nats-server' as const, 'postgresql' as const] };

describe('npm start on a machine that lacks something', () => {
  it('prints what it will install before it does, as root', () => {
    announceInstallation(all, { mayInstall: true, canInstall: true });
    expect(printed).toMatch(/nats-server, postgresql on this machine \(apt-get, as root\)\n.*node_modules/s);
    expect(printed).toContain('--no-install');
  });

  it('prints nothing where nothing is missing', () => {
    announceInstallation(nothing, { mayInstall: false, canInstall: false });
    expect(printed).toBe('');
  });

  it.each([
    ['with --no-install', { mayInstall: false, canInstall: true }],
    ['as another user', { mayInstall: true, canInstall: false }],
  ])('installs nothing %s, and names everything that is missing', (_, options) => {
    expect(() => announceInstallation(all, options)).toThrow(
      /^Not found on this machine: nats-server, postgresql\..*apt-get install.*npm install$/s,
    );
  });

  it('installs no node modules with --no-install', () => {
    const modules = { nodeModules: true, packages: [] };
    expect(() => announceInstallation(modules, { mayInstall: false, canInstall: true })).toThrow(
      'npm install',
    );
    announceInstallation(modules, { mayInstall: true, canInstall: false });
    expect(printed).toContain('node_modules');
  });
});

describe('The lock of node modules', () => {
  const locked = {
    packages: {
      '': {},
      'node_modules/a': { version: '1.0.0', integrity: 'sha512-a', optionalDependencies: { 'a-linux': '1' } },
      'node_modules/a-linux': { version: '1.0.0', integrity: 'sha512-l', optional: true },
    },
  };
  const installed = (packages: object) => ({ packages: { ...locked.packages, ...packages } });

  it('is whole if it lists every optional package', () => {
    expect(isWhole(locked)).toBe(true);
    const a = {
      ...locked.packages['node_modules/a'],
      optionalDependencies: { 'a-linux': '1', 'a-darwin': '1' },
    };
    expect(isWhole(installed({ 'node_modules/a': a }))).toBe(false);
  });

  it('permits further optional packages, and no other version, content, package or absence', () => {
    const optional = { version: '1.0.0', integrity: 'sha512-d', optional: true };
    expect(changedPackages(locked, installed({ 'node_modules/a-darwin': optional }))).toEqual([]);
    for (const [path, entry] of [
      ['node_modules/a', { version: '1.0.1', integrity: 'sha512-a' }],
      ['node_modules/a', { version: '1.0.0', integrity: 'sha512-b' }],
      ['node_modules/b', { version: '1.0.0', integrity: 'sha512-b' }],
    ] as const)
      expect(changedPackages(locked, installed({ [path]: entry }))).toEqual([path]);
    expect(changedPackages(locked, { packages: {} })).toHaveLength(2);
  });
});

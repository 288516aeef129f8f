import { hasNodeModules } from './node-modules.ts';
import { say } from './progress.ts';
import { findBinaries, type ServerPackage } from './servers/binaries.ts';
import { canInstallPackages, missingMessage } from './servers/install.ts';

/** What a start needs and this machine lacks. */
export interface Missing {
  nodeModules: boolean;
  packages: ServerPackage[];
}

export function missingParts(): Missing {
  return { nodeModules: !hasNodeModules('stack'), packages: findBinaries().missing };
}

/**
 * Prints what this start will install, before it does.
 * @param options `canInstall`: whether this user may install packages of the system
 * @throws with everything that is missing, where the start may not install it
 */
export function announceInstallation(
  { nodeModules, packages }: Missing,
  { mayInstall, canInstall = canInstallPackages() }: { mayInstall: boolean; canInstall?: boolean },
): void {
  const modules =
    'the packages that it runs with, from package-lock.json into node_modules (npm, without their scripts)';
  if (packages.length > 0 && (!mayInstall || !canInstall))
    throw new Error(
      [missingMessage(packages), ...(nodeModules ? ['  Node modules:    npm install'] : [])].join('\n'),
    );
  if (nodeModules && !mayInstall)
    throw new Error('Not found in this folder: node modules. Install them and start again: npm install');
  const parts = [
    ...(packages.length > 0 ? [`${packages.join(', ')} on this machine (apt-get, as root)`] : []),
    ...(nodeModules ? [modules] : []),
  ];
  if (parts.length === 0) return;
  say('  This start installs what is missing; with --no-install it would list it and end:');
  for (const part of parts) say(`    ${part}`);
}

import { serviceGrants } from '../kms/grants.ts';

/** The caller of tools that measure the emulator; it can use no key. */
export const kmsInspector = 'inspector';

/** The callers of a local KMS emulator. The access key id of a service is its name. */
export const kmsCallers = { ...serviceGrants, [kmsInspector]: { keys: [], random: true } };

/**
 * @param secrets of the callers
 * @returns the callers as the emulator reads them
 */
export function callersWith(secrets: Readonly<Record<string, string>>) {
  return Object.fromEntries(
    Object.entries(kmsCallers).map(([name, grant]) => [name, { ...grant, secret: secrets[name] ?? '' }]),
  );
}

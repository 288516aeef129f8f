import { dirname } from 'node:path';
import { freePort } from '../../stack/servers/ports.mjs';
import { loadSecrets } from '../../stack/secrets.mjs';
import { prepareServices } from '../../stack/services.mjs';
import { readSettings } from '../../stack/settings.mjs';
import { Supervisor } from '../../stack/supervisor.mjs';

/** The name of the second instance among the services of the stack. */
export const SECOND = 'reporting 2';

/**
 * Starts a second instance of reporting in a temporary stack, and restarts it when it exits. The stack as returned shows
 * both instances; stop it, not the one that was given.
 * @param {import('../../stack/temporary-stack.mjs').TemporaryStack} stack
 * @returns {Promise<import('../../stack/temporary-stack.mjs').TemporaryStack>}
 */
export async function withSecondReporting(stack) {
  const server = await serverBeside(stack);
  const supervisor = new Supervisor({ onEvent: () => {}, onChange: () => {} });
  await server.start();
  supervisor.watch(server);
  const instance = () => ({ pid: server.pid || null, private_url: server.url });
  const withInstance = (/** @type {Record<string, any>} */ { services, ...rest }) => ({
    ...rest,
    services: { ...services, [SECOND]: instance() },
  });
  const stop = async () => {
    supervisor.stop();
    await server.stop();
    await stack.stop();
  };
  return { descriptorPath: stack.descriptorPath, descriptor: () => withInstance(stack.descriptor()), stop };
}

/** @param {import('../../stack/temporary-stack.mjs').TemporaryStack} stack */
async function serverBeside({ descriptorPath, descriptor }) {
  const given = { VAULTSVC_DIR: dirname(descriptorPath), VAULTSVC_PORT: new URL(descriptor().api_url).port };
  const settings = readSettings(given, []);
  settings.ports.private.reporting = await freePort();
  const server = prepareServices(settings, loadSecrets(settings.paths)).find(
    ({ name }) => name === 'reporting',
  );
  if (!server) throw new Error('the stack has no reporting');
  return server;
}

import { dirname } from 'node:path';
import { freePort } from '../stack/servers/ports.mjs';
import { loadSecrets } from '../stack/secrets.mjs';
import { prepareServices } from '../stack/services.mjs';
import { readSettings } from '../stack/settings.mjs';
import { Supervisor } from '../stack/supervisor.mjs';

/**
 * The name of the second instance among the services of the stack.
 * @param {string} service
 */
export const secondOf = (service) => `${service} 2`;

/**
 * Starts a second instance of a service in a temporary stack, and restarts it when it exits. The stack as returned shows
 * both instances; stop it, not the one that was given.
 * @param {import('../stack/temporary-stack.mjs').TemporaryStack} stack
 * @param {string} service
 * @param {Record<string, string>} [given] the settings with which the stack was started
 * @returns {Promise<import('../stack/temporary-stack.mjs').TemporaryStack>}
 */
export async function withSecondInstance(stack, service, given = {}) {
  const server = await serverBeside(stack, service, given);
  const supervisor = new Supervisor({ onEvent: () => {}, onChange: () => {} });
  await server.start();
  supervisor.watch(server);
  const instance = () => ({ pid: server.pid || null, private_url: server.url });
  const withInstance = (/** @type {Record<string, any>} */ { services, ...rest }) => ({
    ...rest,
    services: { ...services, [secondOf(service)]: instance() },
  });
  const stop = async () => {
    supervisor.stop();
    await server.stop();
    await stack.stop();
  };
  return { descriptorPath: stack.descriptorPath, descriptor: () => withInstance(stack.descriptor()), stop };
}

/**
 * @param {import('../stack/temporary-stack.mjs').TemporaryStack} stack
 * @param {string} service
 * @param {Record<string, string>} given
 */
async function serverBeside({ descriptorPath, descriptor }, service, given) {
  const place = { VAULTSVC_DIR: dirname(descriptorPath), VAULTSVC_PORT: new URL(descriptor().api_url).port };
  const settings = readSettings(place, []);
  settings.ports.private[service] = await freePort();
  const environment = { ...process.env, ...given };
  const server = prepareServices(settings, loadSecrets(settings.paths), environment).find(
    ({ name }) => name === service,
  );
  if (!server) throw new Error(`the stack has no ${service}`);
  return server;
}

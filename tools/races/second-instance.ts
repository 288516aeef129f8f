import { dirname } from 'node:path';
import { freePort } from '../stack/servers/ports.ts';
import { loadSecrets } from '../stack/secrets.ts';
import { prepareServices } from '../stack/services.ts';
import { readSettings } from '../stack/settings.ts';
import { Supervisor } from '../stack/supervisor.ts';
import type { StackDescription } from '../stack/descriptor.ts';
import type { TemporaryStack } from '../stack/temporary-stack.ts';

/** The name of the second instance among the services of the stack. */
export const secondOf = (service: string) => `${service} 2`;

/**
 * Starts a second instance of a service in a temporary stack, and restarts it when it exits. The stack as returned shows
 * both instances; stop it, not the one that was given.
 * @param given the settings with which the stack was started
 */
export async function withSecondInstance(
  stack: TemporaryStack,
  service: string,
  given: Record<string, string> = {},
): Promise<TemporaryStack> {
  const server = await serverBeside(stack, service, given);
  const supervisor = new Supervisor({ onEvent: () => {}, onChange: () => {} });
  await server.start();
  supervisor.watch(server);
  const instance = () => ({ pid: server.pid || null, private_url: server.url });
  const withInstance = ({ services, ...rest }: StackDescription) => ({
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

async function serverBeside(
  { descriptorPath, descriptor }: TemporaryStack,
  service: string,
  given: Record<string, string>,
) {
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

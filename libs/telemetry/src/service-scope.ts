import { AsyncLocalStorage } from 'node:async_hooks';

const storage = new AsyncLocalStorage<string>();

/**
 * Starts a service that shares its process with others. All that it starts belongs to it, connections, listeners and timers included:
 * its log lines name it, although Nest has one logger for a process.
 */
export function runAsService<T>(service: string, start: () => T): T {
  return storage.run(service, start);
}

/** The service that the running code belongs to; undefined in a process with a single one. */
export function currentService(): string | undefined {
  return storage.getStore();
}

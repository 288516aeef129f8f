import type { JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** Where jest-circus keeps the handlers of a file; it would add those of the next file to them. */
const circusHandlers = Symbol.for('EVENT_HANDLERS');

/**
 * Runs spec files in the context of their worker, as Node runs a service: one set of built-in classes, and packages that
 * stay loaded. The end of a file restores the properties of the global object that it replaced.
 */
export default class WorkerEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  fakeTimersModern: ModernFakeTimers;
  #before = Object.getOwnPropertyDescriptors(globalThis);
  #processBefore = Object.fromEntries(
    ['exit', 'getBuiltinModule'].map((name) => [name, Reflect.get(process, name) as unknown]),
  );
  #exportConditions: string[] | undefined;

  constructor({ projectConfig }: JestEnvironmentConfig) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.#exportConditions = projectConfig.testEnvironmentOptions.customExportConditions as string[];
    Error.stackTraceLimit = 25; // more than Node's 10, for helpers of tests; long ones cost time with every error
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    Reflect.deleteProperty(globalThis, circusHandlers);
    Object.assign(process, this.#processBefore);
    for (const key of Reflect.ownKeys(this.#before)) {
      const descriptor = Reflect.get(this.#before, key);
      if (descriptor.configurable) Object.defineProperty(globalThis, key, descriptor);
    }
  }

  exportConditions() {
    return this.#exportConditions;
  }

  getVmContext() {
    return globalThis;
  }
}

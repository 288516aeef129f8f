import { AsyncLocalStorage } from 'node:async_hooks';

/** The request that the running code works for. Each line that it logs names the request, and its trace if it has one. */
export interface RequestScope {
  readonly requestId: string;
  /** The running span as W3C `traceparent`; absent while traces are off. */
  readonly trace?: string | undefined;
}

const storage = new AsyncLocalStorage<RequestScope | undefined>();

/**
 * Runs work for a request, with everything that it starts. Connections and timers that it opens keep the scope as long as they
 * live, so of a call context or an exchange, which hold tokens and bodies, these two fields alone are kept.
 */
export function runInScope<T>({ requestId, trace }: RequestScope, work: () => T): T {
  return storage.run({ requestId, trace }, work);
}

/** Runs work that serves several requests, such as a batch: its lines name none of them. */
export function runOutOfScope<T>(work: () => T): T {
  return storage.run(undefined, work);
}

/** The request that the caller works for; undefined for jobs, batches and the start of a service. */
export function currentScope(): RequestScope | undefined {
  return storage.getStore();
}

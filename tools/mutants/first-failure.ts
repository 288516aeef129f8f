import WorkerEnvironment from '../test/worker-environment.ts';

/** What this needs of the events of jest-circus. */
interface TestEvent {
  readonly name: string;
  readonly test?: { readonly errors: readonly unknown[]; mode?: string | null };
}

/** Skips all tests after one that failed: it has told what became of the mutant. */
export default class FirstFailure extends WorkerEnvironment {
  #hasFailed = false;

  handleTestEvent({ name, test }: TestEvent) {
    if (name === 'test_done' && test && test.errors.length > 0) this.#hasFailed = true;
    if (name === 'test_start' && test && this.#hasFailed) test.mode = 'skip';
  }
}

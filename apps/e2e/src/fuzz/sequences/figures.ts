import { writeFileSync } from 'node:fs';
import { operations } from '@vaultsvc/contracts/catalog';
import type { PublicOperation } from '@vaultsvc/contracts';
import type { Answer } from './answer.js';

export type Transport = 'http' | 'wire';

/** What the sequences of a run have done. */
export class Figures {
  steps = 0;
  readonly #statuses = new Map<string, number>();
  readonly #targets = new Map<string, number>();
  readonly #called = { http: new Set<string>(), wire: new Set<string>() };
  readonly #succeeded = { http: new Set<string>(), wire: new Set<string>() };

  countStep(target: string): void {
    this.steps += 1;
    this.#targets.set(target, (this.#targets.get(target) ?? 0) + 1);
  }

  countCall(op: PublicOperation, via: Transport, { status, reason }: Answer): void {
    this.#called[via].add(op.name);
    if (reason === undefined) this.#succeeded[via].add(op.name);
    const key = `${via} ${Math.floor(status / 100)}xx`;
    this.#statuses.set(key, (this.#statuses.get(key) ?? 0) + 1);
  }

  /** Operations that no call has reached over a transport. */
  notCalled(via: Transport): string[] {
    return operations.map(({ name }) => name).filter((name) => !this.#called[via].has(name));
  }

  write(path: string): void {
    const coverage = (via: Transport) => ({
      called: this.#called[via].size,
      succeeded: this.#succeeded[via].size,
      of: operations.length,
      never_successful: operations.map(({ name }) => name).filter((name) => !this.#succeeded[via].has(name)),
    });
    const figures = {
      steps: this.steps,
      targets: Object.fromEntries(this.#targets),
      answers: Object.fromEntries([...this.#statuses].toSorted()),
      http: coverage('http'),
      wire: coverage('wire'),
    };
    writeFileSync(path, JSON.stringify(figures, null, 2));
  }
}

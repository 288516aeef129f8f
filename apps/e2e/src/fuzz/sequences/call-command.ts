import type { PublicOperation } from '@vaultsvc/contracts';
import type { Arbitrary, AsyncCommand } from 'fast-check';
import { CallResolver } from './call-resolver.js';
import { callStepsOf, type CallStep } from './call-step.js';
import { targets } from './call-targets.js';
import type { KnownValues } from './known-values.js';
import type { Sequence } from './sequence.js';

/** Commands that call one operation. */
export function callsOf(op: PublicOperation): Arbitrary<CallCommand> {
  return callStepsOf(op).map((step) => new CallCommand(step));
}

/** A step of a sequence: the calls of one operation to one target. */
class CallCommand implements AsyncCommand<KnownValues, Sequence> {
  constructor(private readonly step: CallStep) {}

  /** Missing resources are created. */
  check(): boolean {
    return true;
  }

  async run(_known: Readonly<KnownValues>, sequence: Sequence): Promise<void> {
    sequence.figures.countStep(this.step.target);
    sequence.journal.note(this.toString());
    await targets[this.step.target](this.step, sequence, new CallResolver(sequence));
  }

  toString(): string {
    const { owner, op, target, via, times } = this.step;
    return `${owner}: ${op.name}, ${target}, ${times}, over ${via}`;
  }
}

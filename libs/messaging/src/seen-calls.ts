const SECOND_MS = 1_000;

/**
 * Remembers calls until their deadline, so that a message sent again has no second effect (OPEN-51). The memory belongs to
 * this process: other copies of the service do not share it (ADR 18).
 */
export class SeenCalls {
  /** Calls by the second of their deadline. */
  readonly #bySecond = new Map<number, Set<string>>();

  /** Whether the call is new; remembers it until `deadlineMs`, in epoch milliseconds. */
  add(call: string, deadlineMs: number): boolean {
    const second = Math.ceil(deadlineMs / SECOND_MS);
    const calls = this.#bySecond.get(second) ?? this.#open(second);
    if (calls.has(call)) return false;
    calls.add(call);
    return true;
  }

  get size(): number {
    return [...this.#bySecond.values()].reduce((count, calls) => count + calls.size, 0);
  }

  /** Calls past their deadline are refused for that, so they need not be remembered. */
  #open(second: number): Set<string> {
    const now = Math.floor(Date.now() / SECOND_MS);
    for (const passed of this.#bySecond.keys()) if (passed < now) this.#bySecond.delete(passed);
    const calls = new Set<string>();
    this.#bySecond.set(second, calls);
    return calls;
  }
}

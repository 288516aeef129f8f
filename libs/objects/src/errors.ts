/** What the object store throws, and nothing else: callers decide by these classes. */
export abstract class ObjectsError extends Error {}

/** No object has this key. */
export class NotFound extends ObjectsError {
  override readonly name = 'NotFound';

  constructor() {
    super('No object has this key');
  }
}

/** The content, or the stored object, is not as long as was said. Of a content nothing has been kept. */
export class WrongLength extends ObjectsError {
  override readonly name = 'WrongLength';

  /** Both in bytes. `actual` is what was seen until it was clear; a content may be longer still. */
  constructor(
    readonly expected: number,
    readonly actual: number,
  ) {
    super(`Expected ${expected} bytes, saw ${actual}`);
  }
}

/** The content ended in an error of its own, which is the cause, or was destroyed. Nothing of it has been kept. */
export class Interrupted extends ObjectsError {
  override readonly name = 'Interrupted';

  constructor(cause: unknown) {
    super('The content was interrupted', { cause });
  }
}

/** The store is down, slow, full or refuses us. The cause has been logged; answer 500 and show nothing of it. */
export class Unavailable extends ObjectsError {
  override readonly name = 'Unavailable';

  /** `reason`: the code of the system's or the store's error; never a key, a path or a credential. */
  constructor(
    readonly reason: string,
    cause?: unknown,
  ) {
    super(`The object store is unavailable: ${reason}`, { cause });
  }
}

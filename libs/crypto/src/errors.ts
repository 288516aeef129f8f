/** The key, or the context it is derived with, is not the one that sealed this: 412 or a database row out of place. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey';

  constructor() {
    super('The key does not belong to this sealed value');
  }
}

/** The key is right, the sealed bytes or their attributes are not: somebody changed them. */
export class Tampered extends Error {
  override readonly name = 'Tampered';

  constructor() {
    super('The sealed value was changed');
  }
}

/** Not one of our sealed values: wrong length, magic, version or suite. */
export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat';

  constructor() {
    super('The sealed value has an unknown format');
  }
}

/** The plaintext of a chunk ended before its length was reached, or ran over it. */
export class WrongChunkLength extends Error {
  override readonly name = 'WrongChunkLength';

  constructor() {
    super('The plaintext is not as long as its chunk');
  }
}

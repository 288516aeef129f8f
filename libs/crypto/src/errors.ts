/** The key, or the context that its derivation uses, is not the one that sealed the value: a wrong secret or a moved row. */
export class WrongKey extends Error {
  override readonly name = 'WrongKey';

  constructor() {
    super('The key does not belong to this sealed value');
  }
}

/** The key is right, but authentication failed: the sealed bytes or their attributes were changed. */
export class Tampered extends Error {
  override readonly name = 'Tampered';

  constructor() {
    super('The sealed value was changed');
  }
}

/** Not a sealed value of this library: wrong length, magic, version or suite. */
export class UnknownFormat extends Error {
  override readonly name = 'UnknownFormat';

  constructor() {
    super('The sealed value has an unknown format');
  }
}

/** The plaintext of a chunk is shorter or longer than the chunk. */
export class WrongChunkLength extends Error {
  override readonly name = 'WrongChunkLength';

  constructor() {
    super('The plaintext is not as long as its chunk');
  }
}

/** The plaintext of a chunk does not have the checksum that its sender announced. */
export class WrongChecksum extends Error {
  override readonly name = 'WrongChecksum';

  constructor() {
    super('The plaintext does not have its checksum');
  }
}

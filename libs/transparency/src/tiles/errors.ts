/** A tile or entry bundle that the tree needs does not exist. */
export class MissingTile extends Error {
  override readonly name = 'MissingTile';

  /** `path` below the prefix of the log. */
  constructor(readonly path: string) {
    super(`The log has no ${path}`);
  }
}

/** A tile or entry bundle does not have the form of C2SP tlog-tiles. */
export class InvalidTile extends Error {
  override readonly name = 'InvalidTile';
}

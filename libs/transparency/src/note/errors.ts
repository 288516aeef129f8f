/** A note, a key or a checkpoint that is malformed, or that no known key has signed. The message has no secret. */
export class InvalidNote extends Error {
  override readonly name = 'InvalidNote';
}

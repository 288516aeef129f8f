/** A part of the application could not be loaded: usually a release has replaced its files (Vite's names are hashes). */
export class PartNotLoaded extends Error {}

/** Loads a part that is a file of its own. Rejects with PartNotLoaded. */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new PartNotLoaded('A part was not loaded.', { cause: error });
  }
}

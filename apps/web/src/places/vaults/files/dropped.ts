/** A file that was chosen or dropped, with the folders in which it was. */
export interface Dropped {
  readonly file: File;
  /** Below the folder into which it was dropped, such as `photos/2026`; empty: directly in it. */
  readonly folder: string;
}

/** What was dropped. */
export interface Drop {
  readonly files: readonly Dropped[];
  /** Folders that hold nothing. */
  readonly emptyFolders: readonly string[];
}

/** Takes what was dropped. All handles are taken at once: the browser empties them when the event ends. */
export function takeDrop(data: DataTransfer): Promise<Drop> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return readEntries(entries);
}

/** Files of a chooser, also of one for folders. */
export function takeChosen(files: FileList): Drop {
  const taken = [...files].map((file) => ({ file, folder: parentOf(file.webkitRelativePath) }));
  return { files: taken, emptyFolders: [] };
}

/** One file, which is already held. */
export const takeFile = (file: File): Drop => ({ files: [{ file, folder: '' }], emptyFolders: [] });

const parentOf = (path: string) => path.split('/').slice(0, -1).join('/');

async function readEntries(entries: readonly FileSystemEntry[]): Promise<Drop> {
  const files: Dropped[] = [];
  const emptyFolders: string[] = [];
  const read = async (entry: FileSystemEntry, folder: string): Promise<void> => {
    if (entry.isFile) return void files.push({ file: await fileOf(entry as FileSystemFileEntry), folder });
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    const inside = await allOf(entry as FileSystemDirectoryEntry);
    if (inside.length === 0) emptyFolders.push(path);
    for (const one of inside) await read(one, path);
  };
  for (const entry of entries) await read(entry, '');
  return { files, emptyFolders };
}

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject));

/** The browser lists a folder in batches, 100 in Chromium; an empty one is the last. */
async function allOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return all;
    all.push(...batch);
  }
}

/** The element of a page of ours with this id. */
export function elementOf<E extends HTMLElement>(id: string, kind: abstract new () => E): E {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/** Calls back with each file that the person chooses. */
export function onFile(field: HTMLInputElement, upload: (file: File) => Promise<void>): void {
  field.addEventListener('change', () => {
    const file = field.files?.[0];
    if (file) void upload(file);
  });
}

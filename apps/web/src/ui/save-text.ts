/** Saves a text as a file by the browser; nothing of it leaves the computer. */
export function saveText(text: string, name: string): void {
  saveBlob(new Blob([text], { type: 'text/plain;charset=utf-8' }), name);
}

/** Saves what the page has received as a file. */
export function saveBlob(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Prints a text alone: styles hide the page while the sheet is in the document. */
export function printText(text: string): void {
  const sheet = document.createElement('pre');
  sheet.className = 'print-sheet';
  sheet.dir = 'ltr';
  sheet.translate = false;
  sheet.textContent = text;
  document.body.append(sheet);
  // Some browsers return before they have read the page.
  addEventListener('afterprint', () => sheet.remove(), { once: true });
  print();
}

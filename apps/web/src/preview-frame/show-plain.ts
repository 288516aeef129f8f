import type { PreviewContent } from './preview-message.js';

/** Shows a text as it is, also that of a page or a picture with scripts: nothing of it is parsed. */
export function showText(place: HTMLElement, { bytes }: PreviewContent): void {
  const text = document.createElement('pre');
  text.dir = 'auto';
  text.textContent = new TextDecoder(
    encodingOf(new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength))),
  ).decode(bytes);
  place.append(text);
}

/** By the byte order mark. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
}

/** Rejects if the browser cannot decode it. */
export async function showImage(place: HTMLElement, { bytes, type, label }: PreviewContent): Promise<void> {
  const image = new Image();
  image.alt = label;
  image.src = URL.createObjectURL(new Blob([bytes], { type }));
  await image.decode();
  place.append(image);
}

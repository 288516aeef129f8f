import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
// Names itself for pdf.js: a document of an opaque origin can start no worker from a file.
import 'pdfjs-dist/legacy/build/pdf.worker.mjs';
import type { PreviewContent } from './preview-message.js';

const silent = 0;
/** Pages are drawn when they come near the window. */
const NEAR = '600px';
/** Sharp on dense screens, and small enough for phones. */
const SCALE_MAX = 2;

/** Shows a document, each page once it is near. Rejects if it cannot be read, with `PasswordException` if it asks for a password. */
export async function showPdf(place: HTMLElement, { bytes, pageLabel }: PreviewContent): Promise<void> {
  const pdf = await getDocument({
    data: new Uint8Array(bytes),
    verbosity: silent,
    // These would be fetched, and the frame has no network.
    useWasm: false,
    useSystemFonts: true,
    disableWorkerRendering: true,
  }).promise;
  const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        near.unobserve(target);
        void drawPage(pdf, target as HTMLElement);
      }
    },
    { rootMargin: NEAR },
  );
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const page = document.createElement('section');
    page.className = 'page';
    page.dataset['number'] = String(number);
    page.style.aspectRatio = `${width} / ${height}`;
    page.ariaLabel = pageLabel.replace('##', String(pdf.numPages)).replace('#', String(number));
    place.append(page);
    near.observe(page);
  }
}

async function drawPage(pdf: PDFDocumentProxy, place: HTMLElement): Promise<void> {
  const page = await pdf.getPage(Number(place.dataset['number']));
  const full = page.getViewport({ scale: 1 });
  const scale = (place.clientWidth / full.width) * Math.min(devicePixelRatio, SCALE_MAX);
  const viewport = page.getViewport({ scale });
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil(viewport.width);
  canvas.height = Math.ceil(viewport.height);
  canvas.ariaHidden = 'true';
  place.style.aspectRatio = `${full.width} / ${full.height}`;
  await page.render({ canvas, viewport }).promise;
  place.replaceChildren(canvas, await textOf(page));
}

/** The text of a page for screen readers, in the order of the document. */
async function textOf(page: Awaited<ReturnType<PDFDocumentProxy['getPage']>>): Promise<HTMLElement> {
  const { items } = await page.getTextContent();
  const text = document.createElement('p');
  text.className = 'visually-hidden';
  text.textContent = items.map((item) => ('str' in item ? item.str : '')).join(' ');
  return text;
}

// The document in the frame of a preview. It has an origin of its own, no storage and no network, so that what a file brings with it
// reaches nothing. It gets bytes over one port, and shows them.
import './preview-frame.css';
import type { PreviewContent, PreviewReport } from './preview-message.js';
import { showImage, showText } from './show-plain.js';

addEventListener('message', ({ source, ports: [port] }) => {
  if (source !== parent || !port) return;
  const report = (message: PreviewReport) => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<PreviewContent>) => void show(data).then(report);
  // Keys that are pressed in a frame do not reach the page around it.
  addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') report('escape');
  });
});

async function show(content: PreviewContent): Promise<PreviewReport> {
  const place = document.querySelector<HTMLElement>('#preview');
  if (!place) return 'failed';
  place.ariaLabel = content.label;
  place.setAttribute('role', 'region');
  try {
    await renderers[content.kind](place, content);
    return 'shown';
  } catch (error) {
    return (error as Error | undefined)?.name === 'PasswordException' ? 'locked' : 'failed';
  }
}

const renderers = {
  text: showText,
  image: showImage,
  pdf: async (place: HTMLElement, content: PreviewContent) => {
    const { showPdf } = await import('./show-pdf.js');
    await showPdf(place, content);
  },
};

import { useEffect, useRef, useState } from 'react';
import {
  isPreviewReport,
  type PreviewContent,
  type PreviewReport,
} from '../../../preview-frame/preview-message.js';
import { previewTexts as texts } from '../../../texts/preview.js';

/** Where the gateway serves the document of the frame, with a policy of its own. */
const FRAME = '/web/preview.html';

interface Props {
  readonly name: string;
  readonly content: PreviewContent;
  readonly onReport: (report: PreviewReport) => void;
}

/**
 * Shows content in a frame of an opaque origin: without `allow-same-origin` it has no cookie, storage or token of the application, and its
 * policy gives it no network.
 */
export function PreviewFrame({ name, content, onReport }: Props) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  useEffect(() => {
    const target = frame.current?.contentWindow;
    if (!isLoaded || !target) return;
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      if (isPreviewReport(data)) onReport(data);
    };
    // An opaque origin has no name. The policy of this page admits no other document in the frame.
    target.postMessage(null, '*', [port2]);
    port1.postMessage(content);
    return () => port1.close();
  }, [isLoaded, content, onReport]);
  return (
    <iframe
      ref={frame}
      className="preview"
      title={texts.content(name)}
      src={FRAME}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      onLoad={() => setLoaded(true)}
    />
  );
}

import { Link } from '@tanstack/react-router';
import { commonTexts, placeTexts } from '../texts/common.js';
import { Notice } from '../ui/notice.js';

/** An address below `/app` that is no page. */
export function MissingPage() {
  return (
    <Notice title={commonTexts.missing}>
      <p>{commonTexts.missingText}</p>
      <p>
        <Link to="/send">{placeTexts.send}</Link>
      </p>
    </Notice>
  );
}
